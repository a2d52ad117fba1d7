#include "textflag.h"
#include "tables_amd64.h"

// What two bytes that stand next to each other can be wrong in, a bit each. The
// high and the low half of the first and the high half of the second each allow
// some; what all three allow is the case. The method is that of Keiser and
// Lemire, "Validating UTF-8 in less than one instruction per byte" (2020).
//
//	0x01 a lead byte that no continuation follows
//	0x02 a continuation behind ASCII
//	0x04 three bytes for what fits in two
//	0x08 more than U+10FFFF, the second byte from 0x90 on
//	0x10 half of a surrogate pair
//	0x20 two bytes for what fits in one
//	0x40 four bytes for what fits in three, or more than U+10FFFF
//	0x80 two continuations: an error but behind a lead of three or four
TABLE(firstHigh, $0x0202020202020202, $0x4915012180808080)
TABLE(firstLow, $0xcbcbcb8b8383a3e7, $0xcbcbdbcbcbcbcbcb)
TABLE(secondHigh, $0x0101010101010101, $0x01010101babaaee6)

TABLE(halves, $0x0f0f0f0f0f0f0f0f, $0x0f0f0f0f0f0f0f0f)
TABLE(tops, $0x8080808080808080, $0x8080808080808080)

// What is left of a byte less these has its top bit where the byte leads three,
// or four.
TABLE(leadsThree, $0x6060606060606060, $0x6060606060606060)
TABLE(leadsFour, $0x7070707070707070, $0x7070707070707070)

// What the last three bytes of a lane may be at most, for no character to go on
// behind it.
DATA  ends<>+0(SB)/8, $0xffffffffffffffff
DATA  ends<>+8(SB)/8, $0xffffffffffffffff
DATA  ends<>+16(SB)/8, $0xffffffffffffffff
DATA  ends<>+24(SB)/8, $0xbfdfefffffffffff
GLOBL ends<>(SB), RODATA|NOPTR, $32

// func validLanes(b *byte, n int) bool
//
// Y0 gathers what is wrong, Y1 is the lane before, Y2 this one.
TEXT ·validLanes(SB), NOSPLIT, $0-17
	MOVQ    b+0(FP), SI
	MOVQ    n+8(FP), CX
	VPXOR   Y0, Y0, Y0
	VPXOR   Y1, Y1, Y1
	VMOVDQU firstHigh<>(SB), Y8
	VMOVDQU firstLow<>(SB), Y9
	VMOVDQU secondHigh<>(SB), Y10
	VMOVDQU halves<>(SB), Y11
	VMOVDQU leadsThree<>(SB), Y12
	VMOVDQU leadsFour<>(SB), Y13
	VMOVDQU tops<>(SB), Y14
	VMOVDQU ends<>(SB), Y15

lane:
	VMOVDQU   (SI), Y2
	VPMOVMSKB Y2, AX
	TESTL     AX, AX
	JZ        ascii

	// The bytes that stand one, two and three places before each.
	VPERM2I128 $0x21, Y2, Y1, Y3
	VPALIGNR   $15, Y3, Y2, Y4
	VPALIGNR   $14, Y3, Y2, Y5
	VPALIGNR   $13, Y3, Y2, Y6

	VPSRLW  $4, Y4, Y7
	VPAND   Y11, Y7, Y7
	VPSHUFB Y7, Y8, Y7
	VPAND   Y11, Y4, Y4
	VPSHUFB Y4, Y9, Y4
	VPSRLW  $4, Y2, Y3
	VPAND   Y11, Y3, Y3
	VPSHUFB Y3, Y10, Y3
	VPAND   Y4, Y7, Y7
	VPAND   Y3, Y7, Y7

	// Two continuations are right where a lead of three stands two places
	// before, or one of four three places before, and there only.
	VPSUBUSB Y12, Y5, Y5
	VPSUBUSB Y13, Y6, Y6
	VPOR     Y5, Y6, Y6
	VPAND    Y14, Y6, Y6
	VPXOR    Y6, Y7, Y7
	VPOR     Y7, Y0, Y0
	JMP      next

ascii:
	VPSUBUSB Y15, Y1, Y3
	VPOR     Y3, Y0, Y0

next:
	VMOVDQA Y2, Y1
	ADDQ    $32, SI
	DECQ    CX
	JNZ     lane

	VPTEST Y0, Y0
	SETEQ  ret+16(FP)
	VZEROUPPER
	RET
