"""The long pictures below a product: the dish, what is in it, how to warm it and keep it."""

from PIL import Image, ImageDraw

from .larder import small_dish
from .picture import Scene
from .light import Light
from .plan import HEROES, SETS
from .views import assortment, close, hero, seed_of
from .words import centred, font, wrap

W = 1080  # drawn this wide …
WIDTH = 760  # … and kept this wide: 1300 to 2400 high, and small enough to be sent to a phone
PAPER, INK, SOFT, RED = (250, 245, 235), (66, 48, 36), (140, 118, 98), (178, 74, 52)


def vignette(name, size, i):
    """One ingredient from above, on the paper's own colour."""
    s = Scene("cream", size, size, 0, 1.46, (0, 0), seed_of(name) + i, Light(230, 50), 2)
    im = s.add(small_dish(name, ("white", "celadon", "cream", "sky")[i % 4]), 0, 0).render()
    mask = Image.new("L", (size * 2, size * 2), 0)
    ImageDraw.Draw(mask).ellipse([4, 4, size * 2 - 4, size * 2 - 4], fill=255)
    return im, mask.resize((size, size), Image.LANCZOS)


def rounded(im, r=28):
    """A picture's mask with round corners."""
    mask = Image.new("L", (im.width * 2, im.height * 2), 0)
    ImageDraw.Draw(mask).rounded_rectangle([0, 0, im.width * 2 - 1, im.height * 2 - 1], r * 2, fill=255)
    return mask.resize(im.size, Image.LANCZOS)


def icon(kind, size=150):
    """A plain drawing of a pot, a microwave oven, a pan, a fridge, a steamer, a bowl."""
    s = 3
    im = Image.new("RGB", (size * s, size * s), (255, 252, 245))
    d = ImageDraw.Draw(im)
    u = size * s / 100

    def box(x0, y0, x1, y1, **kw):
        d.rounded_rectangle([x0 * u, y0 * u, x1 * u, y1 * u], 4 * u, **kw)

    pen = {"outline": INK, "width": int(2.4 * u)}
    if kind == "pot":
        box(24, 46, 76, 78, fill=(222, 120, 86), **pen)
        box(20, 40, 80, 47, fill=(240, 200, 150), **pen)
        d.line([12 * u, 54 * u, 24 * u, 54 * u], fill=INK, width=int(4 * u))
        d.line([76 * u, 54 * u, 88 * u, 54 * u], fill=INK, width=int(4 * u))
        for x in (38, 50, 62):
            d.arc([(x - 5) * u, 14 * u, (x + 5) * u, 26 * u], 90, 270, fill=RED, width=int(2.4 * u))
            d.arc([(x - 5) * u, 24 * u, (x + 5) * u, 36 * u], 270, 90, fill=RED, width=int(2.4 * u))
    elif kind == "oven":
        box(12, 26, 88, 76, fill=(214, 222, 222), **pen)
        box(18, 33, 64, 69, fill=(120, 140, 146), **pen)
        d.ellipse([30 * u, 46 * u, 54 * u, 58 * u], fill=(240, 200, 150), outline=INK, width=int(1.6 * u))
        for y in (38, 50, 62):
            d.ellipse([72 * u, (y - 3) * u, 79 * u, (y + 4) * u], fill=RED if y == 38 else INK)
    elif kind == "pan":
        d.ellipse([14 * u, 36 * u, 68 * u, 76 * u], fill=(90, 90, 92), outline=INK, width=int(2.4 * u))
        d.ellipse([22 * u, 42 * u, 60 * u, 70 * u], fill=(120, 118, 116))
        d.line([66 * u, 52 * u, 92 * u, 36 * u], fill=INK, width=int(6 * u))
        d.ellipse([30 * u, 48 * u, 50 * u, 64 * u], fill=(226, 150, 80))
    elif kind == "fridge":
        box(30, 14, 70, 86, fill=(196, 214, 218), **pen)
        d.line([30 * u, 44 * u, 70 * u, 44 * u], fill=INK, width=int(2.4 * u))
        d.line([37 * u, 24 * u, 37 * u, 36 * u], fill=INK, width=int(3 * u))
        d.line([37 * u, 52 * u, 37 * u, 68 * u], fill=INK, width=int(3 * u))
    elif kind == "steamer":
        box(18, 50, 82, 74, fill=(214, 168, 108), **pen)
        box(14, 36, 86, 50, fill=(232, 196, 140), **pen)
        for x in (30, 50, 70):
            d.line([x * u, 52 * u, x * u, 72 * u], fill=(150, 108, 66), width=int(2 * u))
            d.arc([(x - 5) * u, 12 * u, (x + 5) * u, 28 * u], 90, 270, fill=RED, width=int(2.4 * u))
    else:
        d.chord([16 * u, 14 * u, 84 * u, 82 * u], 0, 180, fill=(200, 214, 190), outline=INK, width=int(2.4 * u))
        d.ellipse([16 * u, 40 * u, 84 * u, 56 * u], fill=(244, 240, 230), outline=INK, width=int(2.4 * u))
    return im.resize((size, size), Image.LANCZOS)


class Page:
    """A long sheet that is filled from top to bottom."""

    def __init__(self, height=2600):
        self.im = Image.new("RGB", (W, height), PAPER)
        self.d = ImageDraw.Draw(self.im)
        self.y = 70

    def title(self, text, sub):
        centred(self.d, W / 2, self.y + 20, sub, 30, RED)
        size = 72 if len(text) < 11 else 60
        centred(self.d, W / 2, self.y + 96, text, size, INK)
        self.y += 170

    def picture(self, im):
        self.im.paste(im, ((W - im.width) // 2, self.y), rounded(im))
        self.y += im.height + 46

    def text(self, text, size=34, fill=INK):
        for line in wrap(text, size, W - 200):
            centred(self.d, W / 2, self.y + size * 0.6, line, size, fill, False)
            self.y += int(size * 1.6)
        self.y += 30

    def heading(self, text):
        self.y += 12
        self.d.line([W / 2 - 30, self.y, W / 2 + 30, self.y], fill=RED, width=4)
        centred(self.d, W / 2, self.y + 44, text, 44, INK)
        self.y += 100

    def larder(self, names, size=236):
        per = 3 if len(names) in (3, 5, 6) else 4
        size = size if per == 3 else 200
        for i, name in enumerate(names):
            row, col = divmod(i, per)
            n = min(per, len(names) - row * per)
            x = int(W / 2 + (col - (n - 1) / 2) * (size + 44) - size / 2)
            y = self.y + row * (size + 66)
            im, mask = vignette(name, size, i)
            self.im.paste(im, (x, y), mask)
            centred(self.d, x + size / 2, y + size + 26, name, 30, INK)
        self.y += -(-len(names) // per) * (size + 66) + 10

    def steps(self, steps):
        for i, (kind, head, body) in enumerate(steps):
            self.d.rounded_rectangle([80, self.y, W - 80, self.y + 196], 24, fill=(255, 252, 245))
            self.im.paste(icon(kind), (110, self.y + 23))
            self.d.text((300, self.y + 36), head, font=font(36), fill=RED)
            for j, line in enumerate(wrap(body, 29, W - 430)[:3]):
                self.d.text((300, self.y + 90 + j * 42), line, font=font(29, False), fill=INK)
            self.y += 220
        self.y += 6

    def done(self):
        self.y += 4
        centred(self.d, W / 2, self.y + 30, "그날 만든 반찬을 그대로 보내 드립니다", 28, SOFT, False)
        page = self.im.crop((0, 0, W, self.y + 90))
        return page.resize((WIDTH, round(page.height * WIDTH / W)), Image.LANCZOS)


def long_picture(title, sub, words, scene, names, steps, second=None):
    """A page for one product."""

    def paint():
        p = Page(4000)
        p.title(title, sub)
        p.picture(scene().render())
        p.text(words)
        if names:
            p.heading("이런 재료로 만들었어요")
            p.larder(names)
        if second:
            p.picture(second().render())
        p.heading("맛있게 드시는 법")
        p.steps(steps)
        return p.done()

    return paint


def _hero(key, table=None):
    ware, t, tilt, _, _ = HEROES[key]
    return lambda: hero(key, ware, table or t, tilt, width=920, height=690, ss=1.4, zoom=1.12, salt="long")


def _close(key):
    ware, t, *_ = HEROES[key]
    return lambda: close(key, ware, t, width=920, height=560, zoom=1.7, tilt=44)


POT = ("pot", "냄비에 데우기", "냄비에 옮겨 중불에서 데우고, 끓기 시작하면 2~3분 더 끓여 주세요.")
OVEN = ("oven", "전자레인지에 데우기", "뚜껑을 살짝 열고 700W에서 2~3분 데워 주세요. 한 번 저어 주면 고루 따뜻해져요.")
PAN = ("pan", "팬에 볶기", "기름을 두르지 않은 팬에서 중불로 4~5분, 윤기가 돌 때까지 볶아 주세요.")
COLD = ("fridge", "보관하기", "받으신 뒤 바로 0~10℃ 냉장고에 넣고, 덜어 드실 때는 깨끗한 젓가락을 써 주세요.")
KEEP = ("fridge", "보관하기", "냉장 제품은 0~10℃, 냉동 제품은 -18℃ 이하에 두고, 한 번 녹인 것은 다시 얼리지 마세요.")
MARINATED = ("pan", "양념육은 팬에", "닭갈비와 불고기, 제육볶음은 중불에서 속까지 익도록 충분히 볶아 주세요.")
COOKED = ("oven", "익힌 반찬은 전자레인지에", "갈비찜, 잡채, 전은 뚜껑을 살짝 열고 700W에서 2~3분 데워 주세요.")
BOWL = ("bowl", "그대로 드시기", "먹을 만큼만 그릇에 덜어 내세요. 10분쯤 두었다 드시면 향이 더 살아나요.")

LONG = {
    "galbi-detail": long_picture(
        "소갈비찜",
        "하룻밤 재워 뭉근하게",
        "핏물을 여섯 시간 빼고 배즙에 하룻밤 재웠습니다. 약불에서 세 시간, 뼈에서 살이 스르르 떨어질 때까지 졸였어요.",
        _hero("galbi"),
        ["소갈비", "밤", "대추", "당근", "표고버섯", "간장"],
        [POT, OVEN, COLD],
        _close("galbi"),
    ),
    "bulgogi-detail": long_picture(
        "서울식 소불고기",
        "국물까지 자작하게",
        "얇게 저민 목심을 간장과 배, 양파로 재워 부드럽습니다. 당면과 팽이버섯이 달큰한 국물을 듬뿍 머금었어요.",
        _hero("bulgogi"),
        ["소고기", "팽이버섯", "양파", "당면", "대파", "간장"],
        [POT, ("bowl", "덮밥으로", "따끈한 밥 위에 국물까지 넉넉히 끼얹어 드세요."), COLD],
    ),
    "japchae-detail": long_picture(
        "잔치 잡채",
        "따로 볶아 함께 무친",
        "당면은 쫄깃하게 삶고, 채소는 제 빛깔이 살도록 하나씩 볶았습니다. 잔칫상 잡채의 맛 그대로예요.",
        _hero("japchae"),
        ["당면", "시금치", "당근", "표고버섯", "소고기", "참기름"],
        [PAN, OVEN, COLD],
    ),
    "jeon-detail": long_picture(
        "손으로 부친 모둠전",
        "한 장 한 장 노릇하게",
        "동그랑땡, 호박전, 동태전, 깻잎전. 네 가지 전을 주문량만큼만 그날 아침에 부칩니다.",
        _hero("jeon"),
        ["돼지고기", "애호박", "깻잎", "달걀", "두부", "양파"],
        [("pan", "팬에 데우기", "기름 없이 약불에서 앞뒤로 2분씩 데우면 막 부친 듯 바삭해져요."), OVEN, COLD],
    ),
    "miyeok-detail": long_picture(
        "소고기 미역국",
        "오래 끓여 뽀얗게",
        "완도 미역을 참기름에 달달 볶다가 양지 육수를 붓고 한 시간 넘게 끓였습니다.",
        _hero("miyeok"),
        ["미역", "소고기", "참기름", "간장"],
        [POT, OVEN, COLD],
    ),
    "doenjang-detail": long_picture(
        "차돌 된장찌개",
        "바글바글 뚝배기째",
        "재래식 된장으로 끓인 구수한 찌개에 차돌박이의 고소한 기름이 동동. 두부와 애호박은 큼직하게 썰었어요.",
        _hero("doenjang"),
        ["된장", "소고기", "두부", "애호박", "표고버섯", "청양고추"],
        [POT, ("bowl", "이렇게도 드세요", "남은 찌개에 소면을 넣고 끓이면 된장국수가 됩니다."), COLD],
    ),
    "sundubu-detail": long_picture(
        "바지락 순두부찌개",
        "몽글몽글 얼큰하게",
        "해감한 바지락으로 낸 시원한 육수에 고추기름을 더했습니다. 달걀은 마지막에 톡 깨 넣어 주세요.",
        _hero("sundubu"),
        ["두부", "바지락", "달걀", "고춧가루", "대파", "청양고추"],
        [POT, ("bowl", "달걀 넣기", "끓어오르면 달걀을 넣고 휘젓지 말고 2분만 기다려 주세요."), COLD],
        _close("sundubu"),
    ),
    "gyeranmari-detail": long_picture(
        "도톰 계란말이",
        "겹겹이 말아 폭신하게",
        "무항생제 달걀을 체에 곱게 내려 약불에서 천천히 말았습니다. 식어도 촉촉해 도시락에도 좋아요.",
        _hero("gyeranmari"),
        ["달걀", "당근", "대파"],
        [BOWL, OVEN, COLD],
    ),
    "jangjorim-detail": long_picture(
        "소고기 메추리알 장조림",
        "짜지 않게 두 번 졸인",
        "홍두깨살을 먼저 푹 삶아 결대로 찢고, 메추리알과 꽈리고추를 넣어 다시 졸였습니다.",
        _hero("jangjorim"),
        ["소고기", "메추리알", "꽈리고추", "간장"],
        [BOWL, ("bowl", "버터 비빔밥", "따끈한 밥에 장조림과 국물, 버터 한 조각을 넣고 비벼 드세요."), COLD],
    ),
    "poggi-detail": long_picture(
        "포기김치",
        "해남 배추로 담근",
        "하루 절인 배추에 갖은 양념을 켜켜이 넣어 버무렸습니다. 받아서 바로 드시면 아삭하고, 익히면 더 깊어져요.",
        _hero("poggi"),
        ["배추", "고춧가루", "무", "부추", "대파", "당근"],
        [
            ("fridge", "익혀 드시기", "실온에서 하루, 냉장고에서 닷새쯤 두면 새콤하게 익어요."),
            ("bowl", "덜어 드시기", "한 쪽씩 꺼내 썰고, 남은 김치는 국물에 잠기도록 눌러 주세요."),
            COLD,
        ],
    ),
    "oisobagi-detail": long_picture(
        "오이소박이",
        "아삭, 한입에 시원하게",
        "백오이를 뜨거운 소금물에 절여 끝까지 아삭합니다. 부추소를 꾹꾹 채워 한입에 쏙 들어와요.",
        _hero("oisobagi"),
        ["오이", "부추", "고춧가루", "당근"],
        [BOWL, COLD],
    ),
    "bibimbap-detail": long_picture(
        "여섯 나물 비빔밥",
        "쓱쓱 비벼 한 그릇",
        "나물마다 간을 따로 맞춰 볶고 무쳤습니다. 밥만 데워 나물을 올리고 고추장을 곁들이세요.",
        _hero("bibimbap"),
        ["쌀", "시금치", "콩나물", "당근", "소고기", "고추장"],
        [
            ("oven", "밥 데우기", "밥만 덜어 전자레인지(700W)에 2분 데워 주세요."),
            ("pan", "돌솥처럼 즐기기", "팬에 참기름을 두르고 밥을 눌러 구우면 누룽지가 생겨요."),
            COLD,
        ],
    ),
    "nabe-detail": long_picture(
        "밀푀유나베",
        "켜켜이 쌓아 끓이는",
        "배추, 깻잎, 소고기를 차곡차곡 포개어 냄비 모양 그대로 담았습니다. 육수만 부으면 손님상이 완성돼요.",
        _hero("nabe"),
        ["배추", "소고기", "깻잎", "팽이버섯", "표고버섯", "당근"],
        [
            ("pot", "끓이기", "육수를 붓고 센 불에서 끓어오르면 중불로 10분 더 끓여 주세요."),
            ("bowl", "마무리는 죽으로", "남은 국물에 밥과 달걀을 풀어 죽을 끓여 드세요."),
            COLD,
        ],
    ),
    "tteokbokki-detail": long_picture(
        "국물 쌀떡볶이",
        "매콤달콤 쫀득하게",
        "그날 뽑은 쌀떡과 부산 어묵에 고추장 양념을 더했습니다. 삶은 달걀도 넉넉히 넣었어요.",
        _hero("tteokbokki"),
        ["떡", "어묵", "달걀", "고추장", "대파", "참깨"],
        [("pan", "팬에 끓이기", "물 반 컵을 붓고 중불에서 5분, 국물이 걸쭉해질 때까지 저어 주세요."), COLD],
    ),
    "tteokgalbi-detail": long_picture(
        "한입 떡갈비",
        "아이 입에 쏙",
        "소고기와 돼지고기를 곱게 다져 한입 크기로 빚었습니다. 간은 순하게, 고기는 촉촉하게 구웠어요.",
        _hero("tteokgalbi"),
        ["소고기", "돼지고기", "양파", "간장"],
        [("pan", "팬에 데우기", "물 한 숟갈을 넣고 뚜껑을 덮어 약불에서 3분 데워 주세요."), OVEN, COLD],
    ),
    "donkatsu-detail": long_picture(
        "등심돈가스",
        "겉은 바삭, 속은 촉촉",
        "국내산 등심을 두툼하게 두드려 생빵가루를 입혔습니다. 가정에서 튀기거나 에어프라이어에 구워 주세요.",
        _hero("donkatsu"),
        ["돼지고기", "빵가루", "달걀"],
        [
            ("pan", "기름에 튀기기", "170℃ 기름에서 5분, 뒤집어 가며 노릇하게 튀겨 주세요."),
            ("oven", "에어프라이어", "기름을 살짝 뿌려 180℃에서 앞뒤로 8분씩 구워 주세요."),
            ("fridge", "보관하기", "-18℃ 이하에 냉동하고, 한 번 녹인 것은 다시 얼리지 마세요."),
        ],
    ),
    "set-home-detail": long_picture(
        "집밥 4종 반찬세트",
        "밥만 지으면 차려지는",
        "콩나물무침, 시금치나물, 어묵볶음, 연근조림. 날마다 먹어도 물리지 않는 네 가지를 담았습니다.",
        lambda: assortment(SETS["set-home"][0], "kraft", "sage", (2, 2), "set-home-long", width=920, height=690),
        ["콩나물", "시금치", "어묵", "참깨"],
        [BOWL, COLD],
    ),
    "guide-main": long_picture(
        "메인반찬 안내",
        "따뜻하게 데워 주세요",
        "메인반찬은 완전히 조리했거나 볶기만 하면 되도록 손질해 보내 드립니다.",
        lambda: assortment(SETS["set-meat"][0], "black", "ash", (2, 2), "guide-main", width=920, height=640),
        [],
        [MARINATED, COOKED, COLD],
    ),
    "guide-soup": long_picture(
        "국・찌개 안내",
        "한소끔만 끓이면 끝",
        "국과 찌개는 식힌 뒤 밀봉해 차갑게 보내 드립니다. 냄비에 붓고 끓이기만 하면 돼요.",
        lambda: hero("hwangtae", HEROES["hwangtae"][0], "blue", 36, width=920, height=640, salt="guide"),
        [],
        [POT, OVEN, COLD],
    ),
    "guide-side": long_picture(
        "밑반찬 안내",
        "냉장고에서 꺼내 바로",
        "밑반찬은 주문을 받은 뒤 무치고 볶아 용기에 담습니다.",
        lambda: assortment(SETS["set-six"][0], "black", "cream", (3, 2), "guide-side", width=920, height=640),
        [],
        [BOWL, ("bowl", "도시락으로", "국물 없는 반찬은 한 김 식힌 밥과 함께 담으면 도시락이 됩니다."), COLD],
    ),
    "guide-kimchi": long_picture(
        "김치・젓갈 안내",
        "익을수록 깊어지는 맛",
        "김치는 살아 있는 음식이라 배송 중에도 조금씩 익습니다. 용기가 부풀 수 있으나 상한 것은 아니에요.",
        lambda: assortment(
            ("kkakdugi", "poggi", "ojingeojeot", "chonggak"), "clear", "slate", (2, 2), "guide-kimchi", width=920, height=640
        ),
        [],
        [
            ("fridge", "보관하기", "국물에 잠기도록 눌러 담고, 김치냉장고나 냉장고 안쪽에 두세요."),
            ("bowl", "덜어 드시기", "물기 없는 집게로 먹을 만큼만 꺼내 주세요."),
        ],
    ),
    "guide-meal": long_picture(
        "간편식 안내",
        "10분이면 한 끼 완성",
        "재료를 손질해 담았습니다. 용기에 적힌 순서대로 데우거나 끓여 주세요.",
        lambda: hero("mandu", HEROES["mandu"][0], "linen", 36, width=920, height=640, salt="guide"),
        [],
        [POT, ("steamer", "찜기에 찌기", "김이 오른 찜기에 넣고 중불에서 8분 쪄 주세요."), KEEP],
    ),
    "guide-kids": long_picture(
        "우리아이반찬 안내",
        "순하게, 한입 크기로",
        "맵지 않게 간하고 아이가 집기 좋은 크기로 만들었습니다. 잔뼈와 가시는 모두 골라냈어요.",
        lambda: assortment(SETS["set-kids"][0], "clear", "pink", (2, 2), "guide-kids", width=920, height=640),
        [],
        [OVEN, BOWL, KEEP],
    ),
}
