//! The official types, reducers and client of the Agent Host Protocol.

use std::{collections::HashMap, error::Error};

use ahp::{
    Client, ClientConfig, SubscriptionEvent,
    reducers::{
        ReduceOutcome, apply_action_to_chat, apply_action_to_root, apply_action_to_session,
    },
};
use ahp_types::{
    ROOT_RESOURCE_URI, SUPPORTED_PROTOCOL_VERSIONS,
    actions::{ActionEnvelope, StateAction},
    state::{ChatState, Snapshot, SnapshotState},
};
use serde_json::{Value, json};
use tokio::io::{AsyncBufReadExt, BufReader, stdin};

type Outcome = Result<(), Box<dyn Error>>;

/// Reads one JSON object per line, with a chat (`state`), actions (`actions`) and
/// the expected chat (`expected`). Prints the result with the official types, and
/// the actions that they can't use.
pub async fn fold() -> Outcome {
    let mut lines = BufReader::new(stdin()).lines();
    while let Some(line) = lines.next_line().await? {
        let mut case: Value = serde_json::from_str(&line)?;
        let mut chat: ChatState = serde_json::from_value(case["state"].take())?;
        let expected: ChatState = serde_json::from_value(case["expected"].take())?;
        let mut refused = Vec::new();
        for raw in case["actions"].as_array().ok_or("actions is no array")? {
            let action: StateAction = serde_json::from_value(raw.clone())?;
            let outcome = apply_action_to_chat(&mut chat, &action);
            if let Some(reason) = refusal(&action, &outcome) {
                refused.push(json!({"action": raw, "reason": reason}));
            }
        }
        println!(
            "{}",
            json!({"folded": chat, "expected": expected, "refused": refused})
        );
    }
    Ok(())
}

/// refusal says why an action had no effect, unless its host may have intended
/// that.
fn refusal(action: &StateAction, outcome: &ReduceOutcome) -> Option<String> {
    match (action, outcome) {
        (StateAction::Unknown(_), _) => Some("the official types don't know it".into()),
        (_, ReduceOutcome::Invalid(e)) => Some(e.to_string()),
        (_, ReduceOutcome::OutOfScope) => Some("it isn't for this channel".into()),
        _ => None,
    }
}

/// Connects to the host at `url`, mirrors the channels that it is told to subscribe
/// to, and prints a line for each action. A line on stdin is one of
/// `{"request":METHOD,"params":…}`, `{"subscribe":URI}` and
/// `{"dispatch":ACTION,"channel":URI}`.
pub async fn mirror(url: &str, id: &str) -> Outcome {
    let transport = ahp_ws::WebSocketTransport::connect(url).await?;
    let config = ClientConfig {
        subscription_buffer: 1 << 16,
        ..ClientConfig::default()
    };
    let client = Client::connect(transport, config).await?;
    let mut events = client.events();
    let versions = SUPPORTED_PROTOCOL_VERSIONS
        .iter()
        .map(|v| v.to_string())
        .collect();
    let hello = client
        .initialize(id.into(), versions, vec![ROOT_RESOURCE_URI.into()])
        .await?;
    println!("{}", json!({"version": hello.protocol_version}));
    let mut mirrored = Mirror::default();
    for snapshot in hello.snapshots {
        mirrored.show(snapshot);
    }
    let mut lines = BufReader::new(stdin()).lines();
    loop {
        tokio::select! {
            event = events.recv() => match event {
                Some(event) => if let SubscriptionEvent::Action(action) = event.event { mirrored.apply(action) },
                None => return Err("the host has hung up".into()),
            },
            line = lines.next_line() => {
                let Some(line) = line? else { break };
                let mut command: Value = serde_json::from_str(&line)?;
                if let Some(method) = command["request"].as_str().map(str::to_owned) {
                    let result: Value = client.request(&method, command["params"].take()).await?;
                    println!("{}", json!({"result": result}));
                } else if let Some(uri) = command["subscribe"].as_str() {
                    let (result, _) = client.subscribe(uri.into()).await?;
                    mirrored.show(result.snapshot.ok_or("the channel has no state")?);
                } else {
                    let channel = command["channel"].as_str().unwrap_or_default().to_owned();
                    client.dispatch(channel, serde_json::from_value(command["dispatch"].take())?).await?;
                }
            }
        }
    }
    client.shutdown().await;
    Ok(())
}

#[derive(Default)]
struct Mirror(HashMap<String, Snapshot>);

impl Mirror {
    fn show(&mut self, snapshot: Snapshot) {
        println!(
            "{}",
            json!({"channel": snapshot.resource, "state": snapshot.state})
        );
        self.0.insert(snapshot.resource.clone(), snapshot);
    }

    fn apply(&mut self, envelope: ActionEnvelope) {
        let Some(shown) = self.0.get_mut(&envelope.channel) else {
            return;
        };
        if envelope.server_seq as i64 <= shown.from_seq {
            return; // the snapshot includes it
        }
        let mut refused = None;
        if envelope.rejection_reason.is_none() {
            let outcome = match &mut shown.state {
                SnapshotState::Root(root) => apply_action_to_root(root, &envelope.action),
                SnapshotState::Session(session) => {
                    apply_action_to_session(session, &envelope.action)
                }
                SnapshotState::Chat(chat) => apply_action_to_chat(chat, &envelope.action),
                _ => ReduceOutcome::OutOfScope,
            };
            refused = refusal(&envelope.action, &outcome);
        }
        println!(
            "{}",
            json!({
                "channel": envelope.channel, "action": envelope.action, "state": shown.state,
                "refused": refused, "rejected": envelope.rejection_reason,
            })
        );
    }
}
