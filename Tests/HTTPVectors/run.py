#!/usr/bin/env python3
"""Black-box runner for vectors.json (own work, standard library only).
usage: run.py HOST PORT [-k REGEX] [-v] [--probes SECONDS] [--json OUT]
  --tls       speak TLS, without checking the certificate
  --probes S  also run the five timeout vectors; each must be closed within S+2 s
  env ALT405=200  counts that status as 405 (for servers that let POST reach a static file)
exit status: 0 when every MUST, ROBUST and sec vector that could run passed.
Fields of a vector: see README.md beside this file."""
import json,socket,ssl,sys,re,time,struct,select,os,email.utils,datetime,concurrent.futures as cf
A=sys.argv[1:]; host,port=A[0],int(A[1])
opt=lambda n,d=None: A[A.index(n)+1] if n in A else d
V=json.load(open(os.path.join(os.path.dirname(os.path.abspath(__file__)),"vectors.json")))
class Secure:
    """A socket as the rest of this file uses one, with TLS in between, and able to end its own direction alone."""
    context=ssl.create_default_context(); context.check_hostname=False; context.verify_mode=ssl.CERT_NONE
    def __init__(self,s):
        self.s=s; self.i=ssl.MemoryBIO(); self.o=ssl.MemoryBIO(); self.pending=b""
        self.t=self.context.wrap_bio(self.i,self.o,server_hostname="localhost"); self.do(self.t.do_handshake)
    def flush(self):                                       # what does not fit now waits in pending
        self.pending+=self.o.read()
        while self.pending: self.pending=self.pending[self.s.send(self.pending):]
    def feed(self):
        d=self.s.recv(65536)
        if d: self.i.write(d)
        else: self.i.write_eof()
    def do(self,f,*a):
        while True:
            try: r=f(*a)
            except ssl.SSLWantReadError: self.flush(); self.feed(); continue
            self.flush(); return r
    def sendall(self,d):
        if d: self.t.write(d)
        self.flush()
    def send(self,d):
        if self.pending: self.flush()
        n=self.t.write(d)
        try: self.flush()
        except BlockingIOError: pass                       # taken all the same; the next call sends the rest
        return n
    def recv(self,n):
        while True:
            try: return self.t.read(n)
            except ssl.SSLWantReadError: self.feed()
            except ssl.SSLZeroReturnError: return b""
            except ssl.SSLError as x: raise ConnectionResetError(str(x))
    def shutdown(self,how):
        try: self.t.unwrap()
        except ssl.SSLError: pass
        self.flush()
    def fileno(self): return self.s.fileno()
    def close(self): self.s.close()
    def __getattr__(self,n): return getattr(self.s,n)
PROBE=opt("--probes"); ALT=int(os.environ.get("ALT405","0"))
REP=re.compile(r"\{\{rep:((?:(?!\{\{).)*?):(\d+)\}\}",re.S)
def expand(s,ctx):
    while (m:=REP.search(s)): s=s[:m.start()]+m.group(1)*int(m.group(2))+s[m.end():]   # innermost first
    for k,x in ctx.items(): s=s.replace("{{"+k+"}}",x)
    return s
def connect(rcvbuf=None):
    s=socket.socket()
    if rcvbuf: s.setsockopt(socket.SOL_SOCKET,socket.SO_RCVBUF,rcvbuf)
    s.settimeout(5); s.connect((host,port)); s.setsockopt(socket.IPPROTO_TCP,socket.TCP_NODELAY,1); return Secure(s) if "--tls" in A else s
def parse(buf,methods):
    """-> list of (status|'junk', headers, body|None when cut short)"""
    out=[]; i=n=0
    while i<len(buf):
        h=buf.find(b"\r\n\r\n",i)
        if h<0 or buf[i:i+5]!=b"HTTP/" or not buf[i+9:i+12].isdigit(): out.append(("junk",{},buf[i:i+80])); break
        head=buf[i:h].decode("latin1").split("\r\n"); st=int(buf[i+9:i+12]); hd={}
        for l in head[1:]:
            k,_,x=l.partition(":"); hd.setdefault(k.strip().lower(),[]).append(x.strip())
        j=h+4
        if 100<=st<200: out.append((st,hd,b"")); i=j; continue
        m=methods[n] if n<len(methods) else "GET"; n+=1
        if m=="HEAD" or st in (204,304): body=b""
        elif "chunked" in ",".join(hd.get("transfer-encoding",[])).lower():
            body=b""
            while True:
                e=buf.find(b"\r\n",j)
                try: z=int(buf[j:e].split(b";")[0],16) if e>=0 else -1
                except ValueError: z=-1
                if z<0 or len(buf)<e+2+z+2: body=None; break
                body+=buf[e+2:e+2+z]; j=e+2+z+2
                if z==0: break
        elif "content-length" in hd:
            z=int(hd["content-length"][0]); body=buf[j:j+z] if len(buf)>=j+z else None; j+=z
        else: body=buf[j:]; j=len(buf)
        out.append((st,hd,body)); i=j
        if body is None: break
    return out
def baseline():
    s=connect(); s.sendall(b"GET /main HTTP/1.1\r\nHost: shop.test\r\nConnection: close\r\n\r\n"); b=b""
    while (d:=s.recv(65536)): b+=d
    st,h,body=parse(b,["GET"])[0]; ctx={"LEN":str(len(body or b""))}
    if "etag" in h:
        t=h["etag"][0]; bare=t[2:] if t.startswith("W/") else t
        ctx.update(ETAG=t,ETAGBARE=bare.strip('"'),WEAKETAG="W/"+bare)
    if "last-modified" in h:
        lm=h["last-modified"][0]; t=email.utils.parsedate_to_datetime(lm); f=lambda d:d.strftime("%a, %d %b %Y %H:%M:%S GMT"); q=datetime.timedelta(seconds=1)
        ctx.update({"LASTMOD":lm,"LASTMOD+1":f(t+q),"LASTMOD-1":f(t-q),"LASTMOD850":t.strftime("%A, %d-%b-%y %H:%M:%S GMT"),"LASTMODASC":t.strftime("%a %b ")+f"{t.day:2d}"+t.strftime(" %H:%M:%S %Y")})
    return ctx
CTX=baseline()
def probe(v,raw):
    k=v["send"]["timeout_probe"]; lim=float(PROBE)+2; s=connect(4096 if k=="write" else None); s.setblocking(False); t=time.time(); off=0; got=b""
    if k=="drip": off=raw.index(b"X: ")+3; s.setblocking(True); s.sendall(raw[:off]); s.setblocking(False)
    p=select.poll(); p.register(s,select.POLLHUP|select.POLLERR|select.POLLRDHUP|(0 if k=="write" else select.POLLIN))
    last=t
    while time.time()-t<lim+2:
        try:
            if k=="drip":
                if time.time()-last>=1: s.send(raw[off:off+1]); off+=1; last=time.time()
            elif off<len(raw): off+=s.send(raw[off:off+65536])
        except BlockingIOError: pass
        except OSError: return ("pass",f"closed after {time.time()-t:.1f}s",None)
        for _,ev in p.poll(100):
            if k!="write" and ev&select.POLLIN:
                try: d=s.recv(65536)
                except BlockingIOError: continue
                except OSError: d=b""
                if d: got+=d; continue
                ev|=select.POLLHUP
            if ev&(select.POLLHUP|select.POLLERR|select.POLLRDHUP):
                dt=time.time()-t; return ("pass" if dt<=lim else "fail",f"closed after {dt:.1f}s {got[:12]!r}",None)
    return ("fail",f"still open after {time.time()-t:.0f}s",None)
def one(v):
    S=v.get("send",{}); e=v["expect"]
    if S.get("timeout_probe") and not PROBE: return ("skip","timeout probe",None)
    for q in v.get("requires") or []:
        if {"etag":"ETAG","lastmod":"LASTMOD"}[q] not in CTX: return ("skip","no "+q,None)
    raw=expand(v["raw"],CTX).encode("latin1")
    if "--tls" in A: raw=re.sub(rb"(?i)^([A-Z]+ http)(s?)(://)",lambda m:m[1]+(b"" if m[2] else b"s")+m[3],raw)   # the scheme of the connection
    if S.get("timeout_probe"): return probe(v,raw)
    methods=[x.decode() for x in re.findall(rb"(?:^|\r\n\r\n|hello|XX)(?:\r\n)*([A-Z]{3,8}) [^ ]+ HTTP/1",raw)]
    s=connect(4096 if S.get("read_delay_ms") else None); buf=b""; closed=False
    try:
        sp=S.get("split"); pause=S.get("pause_ms",0)/1000
        if sp:
            cuts=list(range(1,len(raw))) if sp=="each" else [m.start()+1 for m in re.finditer(rb"\r\n",raw)] if sp=="crlf" else sorted(c if c>=0 else len(raw)+c for c in sp)
            a=0
            for c in cuts+[len(raw)]: s.sendall(raw[a:c]); a=c; time.sleep(pause)
        elif S.get("big") or len(raw)>60000:
            s.setblocking(False); off=0; end=time.time()+4
            while off<len(raw) and time.time()<end:
                try: off+=s.send(raw[off:off+65536])
                except BlockingIOError: time.sleep(0.002)
                if S.get("read_delay_ms"): continue
                try:
                    d=s.recv(65536)
                    if d==b"": closed=True; break
                    buf+=d
                except BlockingIOError: pass
            s.setblocking(True)
        else: s.sendall(raw)
        if S.get("half_close"): s.shutdown(socket.SHUT_WR)
        if S.get("rst"):
            s.setsockopt(socket.SOL_SOCKET,socket.SO_LINGER,struct.pack("ii",1,0)); s.close(); time.sleep(0.05); return check(v,[],True)
    except (BrokenPipeError,ConnectionResetError): pass
    if S.get("read_delay_ms"): time.sleep(S["read_delay_ms"]/1000)
    t_end=time.time()+3.0; last=time.time(); need=e["connection"]=="close"
    while time.time()<t_end and not closed:
        s.settimeout(0.1)
        try:
            d=s.recv(1<<20)
            if d==b"": closed=True; break
            buf+=d; last=time.time()
        except socket.timeout:
            if time.time()-last>(2.5 if need or not buf else 0.45): break
        except OSError: closed=True; break
    s.close(); return check(v,parse(buf,methods),closed)
def check(v,rs,closed):
    e=v["expect"]; P=[]; S=v.get("send",{})
    if ALT and 405 in e["status"] and rs and rs[0][0]==ALT: rs=[(405,)+rs[0][1:]]+rs[1:]
    fin=[r for r in rs if r[0]=="junk" or r[0]>=200]; codes=[r[0] for r in rs]
    first=rs[0][0] if rs else (0 if closed else -1)
    if S.get("rst"): first=0
    if first not in e["status"] and not (S.get("may_wait") and first==-1): P.append(f"status {first}")
    if "junk" in codes: P.append("junk")
    if e.get("seq") and not P:
        f=[r[0] for r in fin]
        P+=[f"seq[{i}]={x}" for i,x in enumerate(f[:len(e["seq"])]) if x not in e["seq"][i]]
        if len(f)<len(e["seq"]) and (not closed or v["group"]=="connection" and e["connection"]=="keep"): P.append(f"only {len(f)} answers")
    if "max_responses" in e and len(fin)>e["max_responses"]: P.append(f"{len(fin)} responses")
    if e["connection"]=="close" and not closed: P.append("not closed")
    if e["connection"]=="keep" and closed and not S.get("half_close"): P.append("closed")
    if fin and fin[0][0] in e["status"]:
        st,h,b=fin[0]; H=e.get("headers",{})
        P+=["missing "+m for m in H.get("must",[]) if m not in h and not (m=="allow" and st not in (200,204,405))]
        P+=["has "+m for m in H.get("mustnot",[]) if m in h]
        P+=[f"{m}={h.get(m)}" for m,rx in H.get("match",{}).items() if not re.search(rx,",".join(h.get(m,[])))]
        if e.get("body")=="range" and st==206 and "content-range" not in h: P.append("no content-range")
        if b is None: P.append("truncated body")
    try:                                                   # is the server still alive?
        s=connect(); s.sendall(b"GET /nope HTTP/1.1\r\nHost: shop.test\r\nConnection: close\r\n\r\n"); s.settimeout(3)
        if b" 404" not in s.recv(20): P.append("ALIVE?")
        s.close()
    except OSError as x: P.append(f"DEAD {x!r}")
    pr=e.get("prefer")
    return ("fail" if P else "pass","; ".join(P)+(f" {codes[:6]} closed={closed}" if P else ""),None if pr is None else first==pr)
todo=[v for v in V if not opt("-k") or re.search(opt("-k"),v["id"])]; R={}
with cf.ThreadPoolExecutor(6) as ex:
    fs={ex.submit(one,v):v["id"] for v in todo}
    for f in cf.as_completed(fs):
        try: R[fs[f]]=f.result()
        except Exception as x: R[fs[f]]=("fail",repr(x),None)
if opt("--json"): json.dump(R,open(opt("--json"),"w"))
cnt=lambda vs:"/".join(str(sum(R[v["id"]][0]==k for v in vs)) for k in ("pass","fail","skip"))
print("pass/fail/skip  all",cnt(todo)," sec",cnt([v for v in todo if v["sec"]])," "+"  ".join(L+" "+cnt([v for v in todo if v["level"]==L]) for L in ("MUST","SHOULD","MAY","ROBUST","POLICY")))
st=[R[v["id"]][2] for v in todo if R[v["id"]][2] is not None]; print(f"preferred answer in {sum(st)} of {len(st)}")
if "-v" in A:
    for v in todo:
        if R[v["id"]][0]=="fail": print(" ",v["id"],v["level"],"sec" if v["sec"] else "",R[v["id"]][1])
bad=sum(R[v["id"]][0]=="fail" for v in todo if v["sec"] or v["level"] in("MUST","ROBUST"))
print(f"{sum(R[v['id']][0]=='pass' for v in todo)} passed, {sum(R[v['id']][0]=='fail' for v in todo)} failed, {sum(R[v['id']][0]=='skip' for v in todo)} skipped"); sys.exit(1 if bad else 0)
