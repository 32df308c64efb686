/*
 * Whether the tests, and with them minikv, are built under AddressSanitizer: it needs address space
 * of its own beyond any limit, and everything takes several times as long.
 */
#ifndef TESTS_SANITIZED_H
#define TESTS_SANITIZED_H

#if defined(__SANITIZE_ADDRESS__)
#define SANITIZED 1
#elif defined(__has_feature)
#if __has_feature(address_sanitizer)
#define SANITIZED 1
#endif
#endif

#ifndef SANITIZED
#define SANITIZED 0
#endif

#endif
