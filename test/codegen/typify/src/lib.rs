//! The types that typify has made, and that they take what Turnwire takes.

pub mod event {
    include!(concat!(env!("OUT_DIR"), "/agent-event.rs"));
}

pub mod command {
    include!(concat!(env!("OUT_DIR"), "/agent-command.rs"));
}

pub mod acp {
    include!(concat!(env!("OUT_DIR"), "/acp-v1.rs"));
}

pub mod config {
    include!(concat!(env!("OUT_DIR"), "/config.rs"));
}

#[cfg(test)]
mod tests {
    use super::{acp, command, config, event};

    #[test]
    fn every_event_has_its_type() {
        // A text of Rust holds no lone surrogate.
        let lines = include_str!("../../../conformance/every-event.jsonl").replace("\\ud800", "");
        for line in lines.lines() {
            let parsed: event::AgentEvent = serde_json::from_str(line).unwrap_or_else(|e| panic!("{e}: {line}"));
            let written = serde_json::to_value(&parsed).unwrap();
            let given: serde_json::Value = serde_json::from_str(line).unwrap();
            assert_eq!(written["type"], given["type"]);
        }
    }

    #[test]
    fn enums_have_names() {
        let decided: command::Decision = serde_json::from_str("\"allow_once\"").unwrap();
        assert_eq!(decided, command::Decision::AllowOnce);
        let _ = (event::ToolKind::Edit, event::PlanEntryStatus::InProgress, event::StopReason::EndTurn);
        let _ = (acp::ToolKind::Edit, acp::StopReason::EndTurn, acp::PermissionOptionKind::AllowOnce, acp::NoticeSeverity::Info);
    }

    #[test]
    fn an_agent_of_the_configuration_has_the_members_of_its_type() {
        let text = r#"{"agents":{"mine":{"type":"process","command":"./agent","dialect":"auto"},"theirs":{"type":"awaken","url":"http://localhost:1"}}}"#;
        let file: config::File = serde_json::from_str(text).unwrap();
        assert!(matches!(&file.agents[&"mine".parse().unwrap()], config::Agent::ProcessAgent(agent) if agent.command == "./agent"));
        assert!(serde_json::from_str::<config::Agent>(r#"{"type":"process","command":"a","url":"http://localhost"}"#).is_err());
    }
}
