#include "textflag.h"

// func hasAVX2() bool
//
// The bits are those of the processor's manual: of leaf 1, that the system
// saves registers (27) and that there is AVX (28); of the register XCR0, that
// it saves the SSE (1) and the AVX ones (2); of leaf 7, AVX2 (5).
TEXT ·hasAVX2(SB), NOSPLIT, $0-1
	MOVB $0, ret+0(FP)
	XORL AX, AX
	CPUID
	CMPL AX, $7
	JB   none

	MOVL $1, AX
	XORL CX, CX
	CPUID
	ANDL $0x18000000, CX
	CMPL CX, $0x18000000
	JNE  none

	XORL CX, CX
	XGETBV
	ANDL $6, AX
	CMPL AX, $6
	JNE  none

	MOVL $7, AX
	XORL CX, CX
	CPUID
	BTL  $5, BX
	JCC  none
	MOVB $1, ret+0(FP)

none:
	RET
