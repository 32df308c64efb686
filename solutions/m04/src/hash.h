/* The hash of a key. A file of its own, so that a harness can count its calls at link time. */
#ifndef MINIKV_HASH_H
#define MINIKV_HASH_H

#include <stdint.h>

#include "bytes.h"

/*
 * 64-bit FNV-1a of the bytes (Fowler, Noll, Vo; offset basis and prime as published), the same on
 * every machine and in every run. Not keyed: whoever can choose keys can make them collide.
 */
uint64_t hash_bytes(struct slice key);

#endif
