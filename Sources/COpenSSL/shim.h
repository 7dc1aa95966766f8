#ifndef BANCHAN_COPENSSL_H
#define BANCHAN_COPENSSL_H

#include <openssl/crypto.h>
#include <openssl/err.h>
#include <openssl/evp.h>
#include <openssl/pem.h>
#include <openssl/rand.h>
#include <openssl/ssl.h>
#include <openssl/x509v3.h>

// Each of these is a function-like macro in OpenSSL's headers.

static inline long copenssl_set_min_tls12(SSL_CTX *context) {
  return SSL_CTX_set_min_proto_version(context, TLS1_2_VERSION);
}

static inline long copenssl_set_server_name(SSL *session, const char *name) {
  return SSL_set_tlsext_host_name(session, name);
}

static inline long copenssl_set_modes(SSL_CTX *context) {
  return SSL_CTX_set_mode(context, SSL_MODE_RELEASE_BUFFERS | SSL_MODE_ENABLE_PARTIAL_WRITE |
                                       SSL_MODE_ACCEPT_MOVING_WRITE_BUFFER);
}

// What a server's context has besides: TLS 1.2 with forward secrecy and authenticated encryption only, 1.3, and no
// renegotiation. A client that ends without close_notify has ended all the same: framing tells what was whole.
static inline int copenssl_set_server_defaults(SSL_CTX *context) {
  SSL_CTX_set_options(context, SSL_OP_NO_RENEGOTIATION | SSL_OP_NO_COMPRESSION | SSL_OP_CIPHER_SERVER_PREFERENCE |
                                   SSL_OP_PRIORITIZE_CHACHA | SSL_OP_IGNORE_UNEXPECTED_EOF);
  SSL_CTX_set_read_ahead(context, 1);
  return SSL_CTX_set_cipher_list(context, "ECDHE+AESGCM:ECDHE+CHACHA20") == 1 &&
         SSL_CTX_set_ciphersuites(
             context, "TLS_AES_128_GCM_SHA256:TLS_AES_256_GCM_SHA384:TLS_CHACHA20_POLY1305_SHA256") == 1 &&
         SSL_CTX_set1_groups_list(context, "X25519:P-256:P-384") == 1;
}

static inline void copenssl_no_renegotiation(SSL_CTX *context) {
  SSL_CTX_set_options(context, SSL_OP_NO_RENEGOTIATION);
}

static inline void copenssl_set_session_cache(SSL_CTX *context, long sessions, long seconds) {
  SSL_CTX_set_session_cache_mode(context, SSL_SESS_CACHE_SERVER);
  SSL_CTX_sess_set_cache_size(context, sessions);
  SSL_CTX_set_timeout(context, seconds);
}

static inline long copenssl_set_ticket_keys(SSL_CTX *context, void *keys, long count) {
  return SSL_CTX_set_tlsext_ticket_keys(context, keys, count);
}

static inline void copenssl_set_name_callback(SSL_CTX *context, int (*callback)(SSL *, int *, void *), void *argument) {
  SSL_CTX_set_tlsext_servername_callback(context, callback);
  SSL_CTX_set_tlsext_servername_arg(context, argument);
}

/// Takes only one version of TLS (0x0303 is 1.2, 0x0304 is 1.3).
static inline int copenssl_set_session_version(SSL *session, int version) {
  return SSL_set_min_proto_version(session, version) == 1 && SSL_set_max_proto_version(session, version) == 1;
}

static inline int copenssl_reason(unsigned long code) { return ERR_GET_REASON(code); }

/// Adds an extension in the notation of OpenSSL's configuration files; 1 when that worked.
static inline int copenssl_add_extension(X509 *certificate, X509 *issuer, int kind, const char *value) {
  X509V3_CTX context;
  X509V3_set_ctx(&context, issuer, certificate, NULL, NULL, 0);
  X509V3_set_ctx_nodb(&context);
  X509_EXTENSION *extension = X509V3_EXT_conf_nid(NULL, &context, kind, value);
  if (!extension) return 0;
  int result = X509_add_ext(certificate, extension, -1);
  X509_EXTENSION_free(extension);
  return result;
}

static inline EVP_PKEY *copenssl_make_p256_key(void) { return EVP_EC_gen("P-256"); }

#endif
