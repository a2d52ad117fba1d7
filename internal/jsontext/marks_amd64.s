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

DATA lowercase<>+0(SB)/8, $0x2020202020202020
DATA lowercase<>+8(SB)/8, $0x2020202020202020
DATA lowercase<>+16(SB)/8, $0x2020202020202020
DATA lowercase<>+24(SB)/8, $0x2020202020202020
GLOBL lowercase<>(SB), RODATA|NOPTR, $32

DATA ds<>+0(SB)/8, $0x6464646464646464
DATA ds<>+8(SB)/8, $0x6464646464646464
DATA ds<>+16(SB)/8, $0x6464646464646464
DATA ds<>+24(SB)/8, $0x6464646464646464
GLOBL ds<>(SB), RODATA|NOPTR, $32

DATA followers<>+0(SB)/8, $0x0f0f0f0f0f0f0f0f
DATA followers<>+8(SB)/8, $0x0f0f0f0f0f0f0f0f
DATA followers<>+16(SB)/8, $0x0f0f0f0f0f0f0f0f
DATA followers<>+24(SB)/8, $0x0f0f0f0f0f0f0f0f
GLOBL followers<>(SB), RODATA|NOPTR, $32

DATA digits<>+0(SB)/8, $0x3030303030303030
DATA digits<>+8(SB)/8, $0x3030303030303030
DATA digits<>+16(SB)/8, $0x3030303030303030
DATA digits<>+24(SB)/8, $0x3030303030303030
GLOBL digits<>(SB), RODATA|NOPTR, $32

// The class of a byte is what it has in common in two tables. What may stand
// behind a backslash has bit 0 for 2x (" and /), bit 1 for 5x (\), bit 2 for 6x
// (b, f, n) or bit 3 for 7x (r, t, u); a hexadecimal digit has bit 4 for 3x or bit
// 5 for 4x and 6x. The first table is looked up with the lower digit of a byte,
// and gives 0 for bytes from 0x80 on; the second with the higher digit.
DATA lower<>+0(SB)/8, $0x10343838303d3010
DATA lower<>+8(SB)/8, $0x0104000200001010
DATA lower<>+16(SB)/8, $0x10343838303d3010
DATA lower<>+24(SB)/8, $0x0104000200001010
GLOBL lower<>(SB), RODATA|NOPTR, $32

DATA higher<>+0(SB)/8, $0x0824022010010000
DATA higher<>+8(SB)/8, $0x0000000000000000
DATA higher<>+16(SB)/8, $0x0824022010010000
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

	VMOVDQU lowercase<>(SB), Y2
	VMOVDQU ds<>(SB), Y5
	VPOR Y2, Y0, Y3
	VPOR Y2, Y1, Y4
	VPCMPEQB Y5, Y3, Y3
	VPCMPEQB Y5, Y4, Y4
	MARK(Y3, Y4, 48)

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

	VMOVDQU followers<>(SB), Y5
	VPAND Y5, Y3, Y0
	VPAND Y5, Y4, Y1
	VPCMPGTB Y2, Y0, Y0
	VPCMPGTB Y2, Y1, Y1
	MARK(Y0, Y1, 24)

	VMOVDQU digits<>(SB), Y5
	VPAND Y5, Y3, Y0
	VPAND Y5, Y4, Y1
	VPCMPGTB Y2, Y0, Y0
	VPCMPGTB Y2, Y1, Y1
	MARK(Y0, Y1, 40)

	VZEROUPPER
	RET
