package cli

import (
	"log/slog"
	"path/filepath"

	"github.com/turnwire/turnwire/internal/app/audit"
	"github.com/turnwire/turnwire/internal/app/config"
	"github.com/turnwire/turnwire/internal/app/policy"
	"github.com/turnwire/turnwire/internal/bridge/core"
)

// decide sets the user's policy and the audit log in to. The rules in first, which may be
// nil, come before those of the configuration.
func (o *agentOptions) decide(to *core.Config, first *policy.Policy, log *slog.Logger) error {
	if o.served {
		if first != nil { // they answer the server's requests, and the server has the audit log
			to.Judge = policy.Narrowed{Own: first}
		}
		return nil
	}
	judge, err := o.judge(first)
	if err != nil {
		return err
	}
	to.Judge = judge
	path, err := auditFile()
	if err != nil {
		log.Warn("decisions are not logged", "error", err)
		return nil
	}
	to.Audit = (&audit.File{Path: path, Log: log}).Note
	return nil
}

// judge returns the judge that applies the user's policy and that of each session's
// folder.
func (o *agentOptions) judge(first *policy.Policy) (policy.Narrowed, error) {
	own, err := o.ownPolicy()
	if err != nil {
		return policy.Narrowed{}, err
	}
	all := new(policy.Policy)
	all.Append(first)
	all.Append(own)
	agent, file := o.name, o.config
	return policy.Narrowed{Own: all, Folder: func(dir string) (*policy.Policy, error) {
		if !filepath.IsAbs(dir) {
			return nil, nil
		}
		return config.Find(file, dir).ProjectPolicy(agent)
	}}, nil
}

// ownPolicy returns the policy in the user's configuration.
func (o *agentOptions) ownPolicy() (*policy.Policy, error) {
	return config.Find(o.config, ".").Policy(o.name)
}

// auditFile returns the path of the audit log.
func auditFile() (string, error) {
	state, err := config.StateFolder()
	return filepath.Join(state, audit.FileName), err
}
