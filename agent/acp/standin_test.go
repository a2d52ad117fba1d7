package acp_test

const scriptVariable = "ACP_STAND_IN"

func standIn(string) int { return 0 }
