#include "textflag.h"
#include "tables_amd64.h"

TABLE(quotes, $0x2222222222222222, $0x2222222222222222)
TABLE(slashes, $0x5c5c5c5c5c5c5c5c, $0x5c5c5c5c5c5c5c5c)
TABLE(controls, $0x1f1f1f1f1f1f1f1f, $0x1f1f1f1f1f1f1f1f)
TABLE(us, $0x7575757575757575, $0x7575757575757575)
TABLE(ds, $0x6464646464646464, $0x6464646464646464)
TABLE(lowercase, $0x2020202020202020, $0x2020202020202020)
TABLE(nibbles, $0x0f0f0f0f0f0f0f0f, $0x0f0f0f0f0f0f0f0f)

TABLE(lower, $0x10343838303d3010, $0x0104000200001010)
TABLE(higher, $0x0824022010010000, $0x0000000000000000)
TABLE(followers, $0x0f0f0f0f0f0f0f0f, $0x0f0f0f0f0f0f0f0f)
TABLE(digits, $0x3030303030303030, $0x3030303030303030)

// MARK stores at DI+to a bit for each byte that is set in the registers a and b.
#define MARK(a, b, to) \
	VPMOVMSKB a, AX;   \
	VPMOVMSKB b, BX;   \
	SHLQ      $32, BX; \
	ORQ       BX, AX;  \
	MOVQ      AX, to(DI)

// EQUAL marks the bytes of the block, which is in Y0 and Y1, that are c.
#define EQUAL(c, to) \
	VMOVDQU  c<>(SB), Y2;  \
	VPCMPEQB Y2, Y0, Y3;   \
	VPCMPEQB Y2, Y1, Y4;   \
	MARK(Y3, Y4, to)

// CLASS marks the bytes whose classes, which are in Y3 and Y4, have one of bits.
// Y2 is zero.
#define CLASS(bits, to) \
	VMOVDQU  bits<>(SB), Y5; \
	VPAND    Y5, Y3, Y0;     \
	VPAND    Y5, Y4, Y1;     \
	VPCMPGTB Y2, Y0, Y0;     \
	VPCMPGTB Y2, Y1, Y1;     \
	MARK(Y0, Y1, to)

// func readMarks(b *[64]byte, m *marks)
TEXT ·readMarks(SB), NOSPLIT, $0-16
	MOVQ    b+0(FP), SI
	MOVQ    m+8(FP), DI
	VMOVDQU 0(SI), Y0
	VMOVDQU 32(SI), Y1

	EQUAL(quotes, 0)
	EQUAL(slashes, 8)
	EQUAL(us, 32)

	// A control character is as small as the lesser of itself and 0x1f.
	VMOVDQU  controls<>(SB), Y2
	VPMINUB  Y2, Y0, Y3
	VPMINUB  Y2, Y1, Y4
	VPCMPEQB Y3, Y0, Y3
	VPCMPEQB Y4, Y1, Y4
	MARK(Y3, Y4, 16)

	VMOVDQU  lowercase<>(SB), Y2
	VMOVDQU  ds<>(SB), Y5
	VPOR     Y2, Y0, Y3
	VPOR     Y2, Y1, Y4
	VPCMPEQB Y5, Y3, Y3
	VPCMPEQB Y5, Y4, Y4
	MARK(Y3, Y4, 48)

	VMOVDQU nibbles<>(SB), Y2
	VMOVDQU lower<>(SB), Y5
	VMOVDQU higher<>(SB), Y6
	VPSHUFB Y0, Y5, Y3
	VPSHUFB Y1, Y5, Y4
	VPSRLW  $4, Y0, Y0
	VPSRLW  $4, Y1, Y1
	VPAND   Y2, Y0, Y0
	VPAND   Y2, Y1, Y1
	VPSHUFB Y0, Y6, Y0
	VPSHUFB Y1, Y6, Y1
	VPAND   Y0, Y3, Y3
	VPAND   Y1, Y4, Y4
	VPXOR   Y2, Y2, Y2
	CLASS(followers, 24)
	CLASS(digits, 40)

	VZEROUPPER
	RET
