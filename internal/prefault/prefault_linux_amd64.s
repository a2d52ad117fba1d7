#include "textflag.h"

// func sections() (text, etext, noptrdata, data, edata uintptr)
//
// The linker defines the symbols.
TEXT ·sections(SB), NOSPLIT, $0-40
	LEAQ runtime·text(SB), AX
	MOVQ AX, text+0(FP)
	LEAQ runtime·etext(SB), AX
	MOVQ AX, etext+8(FP)
	LEAQ runtime·noptrdata(SB), AX
	MOVQ AX, noptrdata+16(FP)
	LEAQ runtime·data(SB), AX
	MOVQ AX, data+24(FP)
	LEAQ runtime·edata(SB), AX
	MOVQ AX, edata+32(FP)
	RET

// func madvise(begin, length, advice uintptr)
//
// Package syscall has it too, but is not initialised yet.
TEXT ·madvise(SB), NOSPLIT, $0-24
	MOVQ begin+0(FP), DI
	MOVQ length+8(FP), SI
	MOVQ advice+16(FP), DX
	MOVQ $28, AX // SYS_madvise
	SYSCALL
	RET
