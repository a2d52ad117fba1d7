#include "textflag.h"

// Every constant stands twice: the instructions look at 32 bytes at a time, and
// a table is looked up in each half of them.

DATA quotes<>+0(SB)/8, $0x2222222222222222
DATA quotes<>+8(SB)/8, $0x2222222222222222
DATA quotes<>+16(SB)/8, $0x2222222222222222
DATA quotes<>+24(SB)/8, $0x2222222222222222
GLOBL quotes<>(SB), RODATA|NOPTR, $32

DATA slashes<>+0(SB)/8, $0x5c5c5c5c5c5c5c5c
DATA slashes<>+8(SB)/8, $0x5c5c5c5c5c5c5c5c
DATA slashes<>+16(SB)/8, $0x5c5c5c5c5c5c5c5c
DATA slashes<>+24(SB)/8, $0x5c5c5c5c5c5c5c5c
GLOBL slashes<>(SB), RODATA|NOPTR, $32

DATA controls<>+0(SB)/8, $0x1f1f1f1f1f1f1f1f
DATA controls<>+8(SB)/8, $0x1f1f1f1f1f1f1f1f
DATA controls<>+16(SB)/8, $0x1f1f1f1f1f1f1f1f
DATA controls<>+24(SB)/8, $0x1f1f1f1f1f1f1f1f
GLOBL controls<>(SB), RODATA|NOPTR, $32

DATA us<>+0(SB)/8, $0x7575757575757575
DATA us<>+8(SB)/8, $0x7575757575757575
DATA us<>+16(SB)/8, $0x7575757575757575
DATA us<>+24(SB)/8, $0x7575757575757575
GLOBL us<>(SB), RODATA|NOPTR, $32

DATA nibbles<>+0(SB)/8, $0x0f0f0f0f0f0f0f0f
DATA nibbles<>+8(SB)/8, $0x0f0f0f0f0f0f0f0f
DATA nibbles<>+16(SB)/8, $0x0f0f0f0f0f0f0f0f
DATA nibbles<>+24(SB)/8, $0x0f0f0f0f0f0f0f0f
GLOBL nibbles<>(SB), RODATA|NOPTR, $32

// What may stand behind a backslash has a bit in common in the two tables: bit
// 0 is for 2x (" and /), bit 1 for 5x (\), bit 2 for 6x (b, f, n) and bit 3 for
// 7x (r, t, u). The first table is looked up with the lower digit of a byte,
// and gives 0 for bytes from 0x80 on; the second with the higher digit.
DATA lower<>+0(SB)/8, $0x00040808000d0000
DATA lower<>+8(SB)/8, $0x0104000200000000
DATA lower<>+16(SB)/8, $0x00040808000d0000
DATA lower<>+24(SB)/8, $0x0104000200000000
GLOBL lower<>(SB), RODATA|NOPTR, $32

DATA higher<>+0(SB)/8, $0x0804020000010000
DATA higher<>+8(SB)/8, $0x0000000000000000
DATA higher<>+16(SB)/8, $0x0804020000010000
DATA higher<>+24(SB)/8, $0x0000000000000000
GLOBL higher<>(SB), RODATA|NOPTR, $32

// MARK stores at DI+to a bit for each byte that is set in the registers a and b.
#define MARK(a, b, to) \
	VPMOVMSKB a, AX;   \
	VPMOVMSKB b, BX;   \
	SHLQ      $32, BX; \
	ORQ       BX, AX;  \
	MOVQ      AX, to(DI)

// func readMarks(b *[64]byte, m *marks)
TEXT ·readMarks(SB), NOSPLIT, $0-16
	MOVQ b+0(FP), SI
	MOVQ m+8(FP), DI
	VMOVDQU 0(SI), Y0
	VMOVDQU 32(SI), Y1

	VMOVDQU quotes<>(SB), Y2
	VPCMPEQB Y2, Y0, Y3
	VPCMPEQB Y2, Y1, Y4
	MARK(Y3, Y4, 0)

	VMOVDQU slashes<>(SB), Y2
	VPCMPEQB Y2, Y0, Y3
	VPCMPEQB Y2, Y1, Y4
	MARK(Y3, Y4, 8)

	// A control character is as small as the lesser of itself and 0x1f.
	VMOVDQU controls<>(SB), Y2
	VPMINUB Y2, Y0, Y3
	VPMINUB Y2, Y1, Y4
	VPCMPEQB Y3, Y0, Y3
	VPCMPEQB Y4, Y1, Y4
	MARK(Y3, Y4, 16)

	VMOVDQU us<>(SB), Y2
	VPCMPEQB Y2, Y0, Y3
	VPCMPEQB Y2, Y1, Y4
	MARK(Y3, Y4, 32)

	VMOVDQU nibbles<>(SB), Y2
	VMOVDQU lower<>(SB), Y5
	VMOVDQU higher<>(SB), Y6
	VPSHUFB Y0, Y5, Y3
	VPSHUFB Y1, Y5, Y4
	VPSRLW $4, Y0, Y0
	VPSRLW $4, Y1, Y1
	VPAND Y2, Y0, Y0
	VPAND Y2, Y1, Y1
	VPSHUFB Y0, Y6, Y0
	VPSHUFB Y1, Y6, Y1
	VPAND Y0, Y3, Y3
	VPAND Y1, Y4, Y4
	VPXOR Y2, Y2, Y2
	VPCMPGTB Y2, Y3, Y3
	VPCMPGTB Y2, Y4, Y4
	MARK(Y3, Y4, 24)

	VZEROUPPER
	RET
