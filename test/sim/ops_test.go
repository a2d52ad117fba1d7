package sim

// The kinds of steps.
const (
	opConnect       op = iota // a client connects
	opNew                     // a client opens a session
	opPrompt                  // … prompts
	opAnswer                  // … answers a request
	opCancel                  // … cancels a turn
	opCancelRequest           // … cancels one of its requests
	opLoad                    // … loads a session
	opResume                  // … resumes a session
	opAttach                  // … attaches to a session, perhaps as an observer
	opDetach                  // … detaches from a session
	opFork                    // … forks a session
	opClose                   // … closes a session
	opDelete                  // … deletes a session
	opList                    // … lists sessions
	opLeave                   // … ends its output
	opDrop                    // a connection breaks
	opStall                   // a connection delivers nothing
	opUnstall                 // … and delivers again
	opDelay                   // a connection becomes slow
	opChoke                   // an agent reads nothing
	opUnchoke                 // … and reads again
	opRace                    // a client answers a request while one cancels the turn
	opStarve                  // a client reads nothing during a turn that it ends
	opWait                    // time passes
	opPause                   // much time passes
	opReflect                 // an AHP client connects, subscribes or leaves
	opConfirm                 // … answers a request
	opSay                     // … prompts
	opStop                    // … cancels a turn
	opRestart                 // the server stops and starts
	opKill                    // the server's machine loses power
	opFill                    // the disk is full, or has room again
	opIsolate                 // a server can't reach NATS
	opRejoin                  // … and reaches it again
	opSlow                    // the disk is slow, or fast again
	opFreeze                  // a server's connection to NATS delivers nothing
	opAsk                     // a client sends a request that it seldom sends
	opQuery                   // an AHP client sends a request
	opAct                     // … changes a session
	opSteer                   // a client sends a message for the running turn
	opRewind                  // … forks a session before a message
	opAbandon                 // … closes or reopens a session in which its agent has left a terminal
	opRule                    // the operator changes the rules about permissions
	opRevoke                  // … revokes a client's token
	opClock                   // a machine's clock is set forward or back
	opTakeBack                // a client answers an agent that reads nothing, and cancels
	opArrive                  // a client connects that can do more than most
	opCreate                  // an AHP client creates a session
	opDispose                 // … disposes of a session
	opFollow                  // … subscribes to a session in addition to its chat
	opUnfollow                // … unsubscribes from a chat
	opRefresh                 // … subscribes again to what it mirrors
	opReconnect               // … loses its connection, or connects again
	opNap                     // … reads nothing, or reads again
	opEnqueue                 // … queues a message, or sends it to the running turn
	opArrange                 // … removes, edits or reorders queued messages
	opBring                   // … prompts with attachments
	opReturn                  // … goes back to an earlier turn
	opBrowse                  // … reads files and older turns
	opTell                    // … answers a question
	opErr                     // … sends what no client should send
	opMisuse                  // a client sends a request that must be refused
	opEnclose                 // … prompts with links, images and the like
	opInstruct                // … opens a session with instructions, servers and folders
	opBlunder                 // a client sends what no client should send
	opOverhear                // … attaches to a session and gets its history in the response
	opLook                    // the operator lists the open sessions
	opPrune                   // … deletes old sessions
	opLeaf                    // a client lists all sessions, page after page
	opDiff                    // an AHP client opens the diff of an edit
	opSpy                     // … connects, but its token can only watch
	opMove                    // … connects to another server than before
	opMute                    // a server gets no answers from NATS
	opUsurp                   // … loses its leases, and the other one opens its session
	opBlackout                // both servers lose NATS for longer than a lease
)

// A stepKind is a kind of step.
type stepKind struct {
	name string
	do   func(*World, *Step) string
}

// ops lists the kinds of steps, with their actions. An action returns a description of what
// it did, or "" if it was impossible.
var ops = map[op]stepKind{
	opConnect:       {"connect", (*World).connect},
	opNew:           {"new", withClient(newSession)},
	opPrompt:        {"prompt", withSession(prompt)},
	opAnswer:        {"answer", withClient(answer)},
	opCancel:        {"cancel", withSession(cancelTurn)},
	opCancelRequest: {"cancel request", withClient(cancelRequest)},
	opLoad:          {"load", withSession(callSession("session/load", object{"cwd": cwd, "mcpServers": []string{}}))},
	opResume:        {"resume", withSession(callSession("session/resume", object{"cwd": cwd, "mcpServers": []string{}}))},
	opAttach:        {"attach", withSession(attach)},
	opDetach:        {"detach", withSession(detach)},
	opFork:          {"fork", withSession(fork)},
	opClose:         {"close", withSession(closeSession)},
	opDelete:        {"delete", withSession(deleteSession)},
	opList:          {"list", withClient(func(_ *World, c *client, _ *Step) string { c.call("session/list", object{}); return "lists sessions" })},
	opLeave:         {"leave", withClient(leave)},
	opDrop:          {"drop", withClient(drop)},
	opStall:         {"stall", withClient(stall)},
	opUnstall:       {"unstall", withClient(unstall)},
	opDelay:         {"delay", withClient(delay)},
	opChoke:         {"choke", (*World).choke},
	opUnchoke:       {"unchoke", (*World).unchoke},
	opRace:          {"race", withClient(race)},
	opStarve:        {"starve", withSession(starve)},
	opWait:          {"wait", (*World).wait},
	opPause:         {"pause", (*World).pause},
	opReflect:       {"reflect", (*World).reflect},
	opConfirm:       {"confirm", (*World).confirm},
	opSay:           {"say", withChat(say)},
	opStop:          {"stop", withChat(stop)},
	opRestart:       {"restart", (*World).restart},
	opKill:          {"kill", (*World).kill},
	opFill:          {"fill", (*World).fill},
	opIsolate:       {"isolate", (*World).isolate},
	opRejoin:        {"rejoin", (*World).rejoin},
	opSlow:          {"slow", (*World).slow},
	opFreeze:        {"freeze", (*World).freeze},
	opAsk:           {"ask", withSession(ask)},
	opQuery:         {"query", withChat(query)},
	opAct:           {"act", withChat(act)},
	opSteer:         {"steer", withSession(steer)},
	opRewind:        {"rewind", (*World).rewind},
	opAbandon:       {"abandon", (*World).abandon},
	opRule:          {"rule", (*World).changeRules},
	opRevoke:        {"revoke", (*World).revoke},
	opClock:         {"clock", (*World).setClock},
	opTakeBack:      {"take back", withClient(takeBack)},
	opArrive:        {"arrive", (*World).arrive},
	opCreate:        {"create", (*World).create},
	opDispose:       {"dispose", withChat(dispose)},
	opFollow:        {"follow", withChat(follow)},
	opUnfollow:      {"unfollow", withChat(unfollow)},
	opRefresh:       {"refresh", withMirror(refresh)},
	opReconnect:     {"reconnect", (*World).reconnect},
	opNap:           {"nap", withMirror(nap)},
	opEnqueue:       {"enqueue", withChat(enqueue)},
	opArrange:       {"arrange", withChat(arrange)},
	opBring:         {"bring", withChat(bring)},
	opReturn:        {"return", withChat(goBack)},
	opBrowse:        {"browse", withChat(browse)},
	opTell:          {"tell", withChat(tell)},
	opErr:           {"err", withChat(mistake)},
	opMisuse:        {"misuse", withSession(misuse)},
	opEnclose:       {"enclose", withSession(enclose)},
	opInstruct:      {"instruct", withClient(instruct)},
	opBlunder:       {"blunder", withClient(blunder)},
	opOverhear:      {"overhear", withSession(overhear)},
	opLook:          {"look", (*World).look},
	opPrune:         {"prune", (*World).prune},
	opLeaf:          {"leaf", withClient(leaf)},
	opDiff:          {"diff", (*World).openDiff},
	opSpy:           {"spy", (*World).spy},
	opMove:          {"move", (*World).move},
	opMute:          {"mute", (*World).mute},
	opUsurp:         {"usurp", (*World).usurp},
	opBlackout:      {"blackout", (*World).blackout},
}
