/* The checksum of the log's records. */
#ifndef MINIKV_CRC32C_H
#define MINIKV_CRC32C_H

#include <stddef.h>
#include <stdint.h>

/*
 * CRC-32C (Castagnoli; the polynomial of iSCSI, RFC 3720, appendix B.4) of `length` bytes.
 * `crc` is 0 for the first piece and the last result for each further one.
 */
uint32_t crc32c(uint32_t crc, const void *data, size_t length);

#endif
