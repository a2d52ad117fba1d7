package policy_test

import (
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/turnwire/turnwire/internal/app/policy"
	"github.com/turnwire/turnwire/internal/bridge/consent"
)

func TestRulesDecide(t *testing.T) {
	dir, outside := t.TempDir(), t.TempDir()
	require.NoError(t, os.MkdirAll(filepath.Join(dir, "src", "deep"), 0o700))
	require.NoError(t, os.Symlink(outside, filepath.Join(dir, "src", "out")))
	require.NoError(t, os.Symlink(filepath.Join(outside, "new"), filepath.Join(dir, "src", "dangling")))
	in := func(names ...string) []string {
		for i, n := range names {
			if !filepath.IsAbs(n) {
				names[i] = dir + "/" + n
			}
		}
		return names
	}
	for name, c := range map[string]struct {
		allow, deny string
		call        consent.Call
		want        consent.Verdict
	}{
		"a kind":                     {"read", "", consent.Call{Kind: "read"}, consent.Allow},
		"another kind":               {"read", "", consent.Call{Kind: "edit"}, consent.Ask},
		"no kind":                    {"read", "", consent.Call{}, consent.Ask},
		"anything":                   {"*", "", consent.Call{Kind: "edit"}, consent.Allow},
		"a path":                     {"edit:src/**", "", consent.Call{Kind: "edit", Paths: in("src/deep/new/a.go")}, consent.Allow},
		"not all paths":              {"edit:src/**", "", consent.Call{Kind: "edit", Paths: in("src/a", "b")}, consent.Ask},
		"no path":                    {"edit:src/**", "", consent.Call{Kind: "edit"}, consent.Ask},
		"a path that leaves":         {"edit:src/**", "", consent.Call{Kind: "edit", Paths: in("src/../b")}, consent.Ask},
		"a path outside":             {"edit:**", "", consent.Call{Kind: "edit", Paths: in(outside + "/x")}, consent.Ask},
		"an absolute pattern":        {"edit:" + outside + "/**", "", consent.Call{Kind: "edit", Paths: in(outside + "/x")}, consent.Allow},
		"a link that leaves":         {"edit:src/**", "", consent.Call{Kind: "edit", Paths: in("src/out/x")}, consent.Ask},
		"a link to nothing":          {"edit:src/**", "", consent.Call{Kind: "edit", Paths: in("src/dangling")}, consent.Ask},
		"below a link to nothing":    {"edit:src/**", "", consent.Call{Kind: "edit", Paths: in("src/dangling/x")}, consent.Ask},
		"a star stays in its folder": {"edit:src/*", "", consent.Call{Kind: "edit", Paths: in("src/deep/a")}, consent.Ask},
		"a denial wins":              {"edit", "edit:**/.env", consent.Call{Kind: "edit", Paths: in("a", "src/.env")}, consent.Deny},
		"a denial by its name":       {"edit", "edit:src/dangling", consent.Call{Kind: "edit", Paths: in("src/dangling")}, consent.Deny},
		"a command":                  {"execute:go test *", "", consent.Call{Kind: "execute", Command: "go test ./... -run X"}, consent.Allow},
		"the whole command":          {"execute:make", "", consent.Call{Kind: "execute", Command: "make"}, consent.Allow},
		"more than the command":      {"execute:make", "", consent.Call{Kind: "execute", Command: "make all"}, consent.Ask},
		"a second command":           {"execute:go test *", "", consent.Call{Kind: "execute", Command: "go test ./...; rm -rf ."}, consent.Ask},
		"a second line":              {"execute:go test *", "", consent.Call{Kind: "execute", Command: "go test .\nid"}, consent.Ask},
		"a substitution":             {"execute:go test *", "", consent.Call{Kind: "execute", Command: "go test $(id)"}, consent.Ask},
		"no command":                 {"execute:*", "", consent.Call{Kind: "execute"}, consent.Ask},
		"a command about a path":     {"*:src/**", "", consent.Call{Kind: "execute", Command: "rm -rf /", Paths: in("src/a")}, consent.Ask},
		"a denied command":           {"execute", "execute:rm *", consent.Call{Kind: "execute", Command: "rm -rf $HOME"}, consent.Deny},
	} {
		t.Run(name, func(t *testing.T) {
			p := new(policy.Policy)
			if c.deny != "" {
				require.NoError(t, p.Add(policy.Rule{Deny: c.deny}, ""))
			}
			require.NoError(t, p.Allow(c.allow))
			c.call.Dir = dir
			require.Equal(t, c.want, verdict(p, c.call))
		})
	}
}

// A rule that denies applies to each command of a command line, however the line is
// written.
func TestDenyMatchesEveryCommandOfACommandLine(t *testing.T) {
	for pattern, lines := range map[string]map[string]bool{
		"rm *": {
			"rm x": true, "rm": true, " rm x": true, "rm\tx": true, "\trm  -rf   /": true, "/bin/rm x": true, "A=1 rm x": true, "A=1 B= /usr/bin/rm x": true,
			`r"m" x`: true, `'rm' x`: true, `\rm x`: true, "ls && rm x": true, "ls | xargs rm": true, "ls; rm x": true, "ls\nrm x": true,
			"ls & rm x": true, "(cd a; rm x)": true, "if true; then rm x; fi": true, "echo $(rm x)": true, "echo `rm x`": true, `echo "$(rm x)"`: true,
			"A=$(rm x) ls": true, "rm x > out": true, "2>/dev/null rm x": true, "f() { rm x; }; f": true, "cat <(rm x)": true, "sudo -u me rm x": true,
			"env A=1 rm x": true, "bash -lc 'cd a && rm x'": true, `sh -c "sudo rm x"`: true, `sudo bash -c 'rm x'`: true, "eval 'rm x'": true,
			"find . -name x -exec rm {} +": true, "rm x; (": true, "rm x\nif": true, "! rm x": true, "time rm x": true, "rm $HOME": true,
			"ls rm": false, "rmdir x": false, "echo rm x": false, "echo 'a; rm x'": false, "git rm x": false, "ls # rm x": false, "firm x": false, "": false,
		},
		"rm*":             {"rmdir x": true, "/bin/rmdir x": true, "ls rm": false},
		"make":            {"make": true, " make ": true, "ls; make": true, "make all": false},
		"git push *":      {"git  push": true, "git\tpush -f": true, "cd a && git push": true, "git pushed": false, "git pull": false},
		"/bin/rm *":       {"/bin/rm x": true, "rm x": false},
		"cd a && rm *":    {"cd a  &&  rm x": true, "cd a": false},
		"*":               {"anything": true, "(": true},
		"git push --fo*":  {"git push --force": true, "git push 'origin'": false},
		"rm " + "-rf / *": {"rm -rf /": true, "rm -rf '/' x": true, "rm -rf /x": false},
	} {
		p := new(policy.Policy)
		require.NoError(t, p.Add(policy.Rule{Deny: "execute:" + pattern}, ""))
		for line, denied := range lines {
			require.Equal(t, denied, verdict(p, consent.Call{Kind: "execute", Command: line}) == consent.Deny, "%s: %q", pattern, line)
		}
	}
}

// A rule that allows applies to a single plain command.
func TestAllowMatchesOnePlainCommand(t *testing.T) {
	p := new(policy.Policy)
	require.NoError(t, p.Allow("execute:go test *"))
	for line, want := range map[string]bool{
		"go test ./...": true, "go test -run X ./...": true,
		"go test . && id": false, "go test . | sh": false, "go test . > /etc/x": false, "go test . < x": false, "go test . &": false, "go test `id`": false,
		"go test $(id)": false, "go test $X": false, "go test <(id)": false, "go test .\nid": false, "go test . # x": false, "go test 'a'": false,
		"A=1 go test .": false, "id; go test .": false, "/tmp/go test .": false, "!go test .": false,
	} {
		require.Equal(t, want, verdict(p, consent.Call{Kind: "execute", Command: line}) == consent.Allow, "%q", line)
	}
}

func TestDeepAndLongCommandLinesAreDenied(t *testing.T) {
	p := new(policy.Policy)
	require.NoError(t, p.Add(policy.Rule{Deny: "execute:rm *"}, ""))
	for _, open := range []string{"(", "$(", "{ ", "if ", "`", "${x:-", "$((", "[[ (", "case x in a) "} {
		for _, size := range []int{10_000, 1_000_000} {
			line := strings.Repeat(open, size/len(open)) + "; rm x"
			require.Equal(t, consent.Deny, verdict(p, consent.Call{Kind: "execute", Command: line}), open)
		}
	}
}

func TestTheFirstRuleThatMatchesDecides(t *testing.T) {
	p := new(policy.Policy)
	require.NoError(t, p.Add(policy.Rule{Allow: "edit:src/gen/**"}, ""))
	require.NoError(t, p.Add(policy.Rule{Ask: "edit:src/**"}, ""))
	require.NoError(t, p.Allow("read,edit"))
	require.NoError(t, p.Otherwise("deny", ""))
	edit := func(names ...string) consent.Verdict {
		c := consent.Call{Kind: "edit", Dir: "/w"}
		for _, n := range names {
			c.Paths = append(c.Paths, "/w/"+n)
		}
		return verdict(p, c)
	}
	require.Equal(t, consent.Allow, edit("src/gen/a"))
	require.Equal(t, consent.Ask, edit("src/gen/a", "src/b"))
	require.Equal(t, consent.Allow, edit("b"))
	require.Equal(t, consent.Allow, verdict(p, consent.Call{Kind: "read"}))
	require.Equal(t, consent.Deny, verdict(p, consent.Call{Kind: "fetch"}))
}

func TestTheDefaultIsForWhatNoRuleMatches(t *testing.T) {
	p := new(policy.Policy)
	require.NoError(t, p.Add(policy.Rule{Allow: "read"}, ""))
	require.NoError(t, p.Otherwise("deny", ""))
	require.Equal(t, consent.Allow, verdict(p, consent.Call{Kind: "read"}))
	require.Equal(t, consent.Deny, verdict(p, consent.Call{Kind: "fetch"}))
	var none *policy.Policy
	require.Equal(t, consent.Ask, verdict(none, consent.Call{Kind: "read"}))
}

func TestInvalidRulesAreErrors(t *testing.T) {
	for text, want := range map[string]string{
		"raed":           `unknown kind "raed"; did you mean read?`,
		"":               "a rule needs exactly one of allow, ask and deny",
		"edit:":          "a pattern must follow the colon",
		"edit:[":         "invalid pattern",
		"execute:a * b*": "a command may only have a * at its end",
	} {
		require.ErrorContains(t, new(policy.Policy).Allow(text), want)
	}
	for want, rule := range map[string]policy.Rule{
		"one of allow, ask and deny": {},
		"one of allow":               {Allow: "read", Deny: "edit"},
		"must be absolute":           {Allow: "read", Folder: "src/**"},
	} {
		require.ErrorContains(t, rule.Check(), want)
	}
	require.ErrorContains(t, new(policy.Policy).Otherwise("allow", ""), "must be ask or deny")
}

func TestARuleAppliesOnlyToWhatItNames(t *testing.T) {
	dir := t.TempDir()
	link := filepath.Join(t.TempDir(), "link")
	require.NoError(t, os.Symlink(dir, link))
	call := consent.Call{Kind: "read", Dir: dir, Agent: "ethos", Session: "s1", Tool: "mcp__docs__find"}
	for name, c := range map[string]struct {
		rule policy.Rule
		fits bool
	}{
		"the tool":             {policy.Rule{Allow: "*", Tool: "mcp__docs__find"}, true},
		"tools":                {policy.Rule{Allow: "*", Tool: "mcp__docs__*"}, true},
		"tools by both ends":   {policy.Rule{Allow: "*", Tool: "mcp__*__find"}, true},
		"a part of the name":   {policy.Rule{Allow: "*", Tool: "docs"}, false},
		"stars that overlap":   {policy.Rule{Allow: "*", Tool: "mcp__docs__f*__find"}, false},
		"another tool":         {policy.Rule{Allow: "*", Tool: "mcp__mail__*"}, false},
		"the agent":            {policy.Rule{Allow: "read", Agent: "eth*"}, true},
		"another agent":        {policy.Rule{Allow: "read", Agent: "glue"}, false},
		"the session":          {policy.Rule{Allow: "read", Session: "s1"}, true},
		"another session":      {policy.Rule{Allow: "read", Session: "s2"}, false},
		"the folder":           {policy.Rule{Allow: "read", Folder: dir}, true},
		"the folder by a link": {policy.Rule{Allow: "read", Folder: link}, true},
		"folders":              {policy.Rule{Allow: "read", Folder: filepath.Dir(dir) + "/**"}, true},
		"another folder":       {policy.Rule{Allow: "read", Folder: dir + "/sub"}, false},
		"all must fit":         {policy.Rule{Allow: "read", Agent: "ethos", Session: "s2"}, false},
	} {
		p := new(policy.Policy)
		require.NoError(t, p.Add(c.rule, ""), name)
		require.Equal(t, c.fits, verdict(p, call) == consent.Allow, name)
		call := call
		call.Tool, call.Agent, call.Session, call.Dir = "", "", "", ""
		require.Equal(t, consent.Ask, verdict(p, call), "%s: what is not known matches nothing", name)
	}
}

func TestACallWithoutAKindHasTheKindOther(t *testing.T) {
	p := new(policy.Policy)
	require.NoError(t, p.Add(policy.Rule{Deny: "other"}, ""))
	require.Equal(t, consent.Deny, verdict(p, consent.Call{}))
}

func TestAFolderCanOnlyMakeItStricter(t *testing.T) {
	one := func(r policy.Rule) *policy.Policy {
		p := new(policy.Policy)
		require.NoError(t, p.Add(r, "f"))
		return p
	}
	allow, ask, deny := one(policy.Rule{Allow: "*"}), one(policy.Rule{Ask: "*"}), one(policy.Rule{Deny: "*"})
	for name, c := range map[string]struct {
		own, folder *policy.Policy
		want        consent.Verdict
	}{
		"nothing":                       {nil, nil, consent.Ask},
		"the user's":                    {allow, nil, consent.Allow},
		"it cannot allow":               {nil, allow, consent.Ask},
		"nor what the user is asked":    {ask, allow, consent.Ask},
		"nor what the user denies":      {deny, allow, consent.Deny},
		"nor have that asked":           {deny, ask, consent.Deny},
		"it can have the user asked":    {allow, ask, consent.Ask},
		"it can deny":                   {allow, deny, consent.Deny},
		"also what the user is asked":   {ask, deny, consent.Deny},
		"and what the user says not of": {nil, deny, consent.Deny},
	} {
		n := policy.Narrowed{Own: c.own, Folder: func(string) (*policy.Policy, error) { return c.folder, nil }}
		require.Equal(t, c.want, n.Judge(consent.Call{Kind: "read"}).Verdict, name)
	}
	broken := policy.Narrowed{Own: allow, Folder: func(string) (*policy.Policy, error) { return nil, os.ErrPermission }}
	r := broken.Judge(consent.Call{Kind: "read"})
	require.Equal(t, consent.Ask, r.Verdict, "nothing is allowed while the folder's policy cannot be read")
	require.Contains(t, r.Rule, "cannot be read")
}

func TestExplainSaysWhyRulesDoNotMatch(t *testing.T) {
	p := new(policy.Policy)
	for i, r := range []policy.Rule{
		{Allow: "edit:src/**"}, {Allow: "read"}, {Deny: "execute:rm *"}, {Allow: "execute:go test *"},
		{Allow: "*", Tool: "x"}, {Allow: "*:**"}, {Ask: "execute"},
	} {
		require.NoError(t, p.Add(r, strconv.Itoa(i+1)))
	}
	r, missed := p.Explain(consent.Call{Kind: "execute", Command: "go test ./... && id", Dir: "/w", Paths: []string{"/w/a"}})
	require.Equal(t, consent.Ruling{Verdict: consent.Ask, Rule: "ask execute", At: "7"}, r)
	var why []string
	for _, m := range missed {
		why = append(why, m.At+" "+m.Rule+": "+m.Why)
	}
	require.Equal(t, []string{
		"1 allow edit:src/**: the kind is execute",
		"2 allow read: the kind is execute",
		"3 deny execute:rm *: the command differs",
		"4 allow execute:go test *: the part matched by * contains shell metacharacters",
		"5 allow *, tool x: the tool is unknown",
		"6 allow *:**: a path pattern does not limit what a command does",
	}, why)
}

func verdict(p *policy.Policy, c consent.Call) consent.Verdict { return p.Judge(c).Verdict }
