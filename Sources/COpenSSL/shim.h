#ifndef BANCHAN_COPENSSL_H
#define BANCHAN_COPENSSL_H

#include <openssl/crypto.h>
#include <openssl/err.h>
#include <openssl/evp.h>
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

#endif
