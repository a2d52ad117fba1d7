//! The official crate at either end of ACP's remote transport, and the official crates
//! of the Agent Host Protocol.
//!
//! `turnwire-peer client URL` sends the lines of its stdin to the server at URL, and
//! prints the server's messages. `$TOKEN` is sent as a bearer token.
//!
//! `turnwire-peer server COMMAND [ARG...]` prints its address, and runs COMMAND for
//! each connection, until EOF on its stdin.
//!
//! `turnwire-peer ahp URL ID` is a client of the host at URL, and `turnwire-peer fold`
//! applies actions without a host; see the module.

mod host;

use std::{env, error::Error};

use agent_client_protocol::{AcpAgent, AcpAgentConfig, Client, ConnectTo, TransportFrame};
use agent_client_protocol_http::{AcpHttpServer, HttpClient};
use futures::StreamExt;
use reqwest::header::{AUTHORIZATION, HeaderMap, HeaderValue};
use tokio::io::{AsyncBufReadExt, AsyncReadExt, AsyncWriteExt, BufReader, stdin, stdout};

type Outcome = Result<(), Box<dyn Error>>;

#[tokio::main]
async fn main() -> Outcome {
    let args: Vec<String> = env::args().skip(1).collect();
    match args.iter().map(String::as_str).collect::<Vec<_>>()[..] {
        ["client", url] => client(url).await,
        ["server", command, ref args @ ..] => server(command, args).await,
        ["ahp", url, id] => host::mirror(url, id).await,
        ["fold"] => host::fold().await,
        _ => Err(
            "usage: turnwire-peer client URL | server COMMAND [ARG...] | ahp URL ID | fold".into(),
        ),
    }
}

async fn client(url: &str) -> Outcome {
    let mut headers = HeaderMap::new();
    if let Ok(token) = env::var("TOKEN") {
        headers.insert(
            AUTHORIZATION,
            HeaderValue::from_str(&format!("Bearer {token}"))?,
        );
    }
    let client = HttpClient::builder_with_endpoint(url)
        .configure_http(|http| http.no_proxy().default_headers(headers))
        .build()?;
    let (channel, driver) = ConnectTo::<Client>::into_channel_and_future(client);
    let driver = tokio::spawn(driver.expect("a client drives its own transport"));
    let (to_server, mut from_server) = (channel.tx, channel.rx);
    let printed = tokio::spawn(async move {
        let mut out = stdout();
        while let Some(frame) = from_server.next().await {
            let line = frame.to_json().expect("a frame is JSON") + "\n";
            out.write_all(line.as_bytes())
                .await
                .expect("stdout is open");
            out.flush().await.expect("stdout is open");
        }
    });
    let mut lines = BufReader::new(stdin()).lines();
    while let Some(line) = lines.next_line().await? {
        to_server.unbounded_send(TransportFrame::parse_json(&line))?;
    }
    drop(to_server); // signals EOF to the server
    driver.await??;
    printed.abort();
    Ok(())
}

async fn server(command: &str, args: &[&str]) -> Outcome {
    let agent = AcpAgentConfig::new(command).args(args.iter().copied());
    let router = AcpHttpServer::new(move || AcpAgent::new(agent.clone())).into_router();
    let listener = tokio::net::TcpListener::bind("127.0.0.1:0").await?;
    println!("{}", listener.local_addr()?);
    tokio::spawn(async move { axum::serve(listener, router).await });
    stdin().read_to_end(&mut Vec::new()).await?;
    Ok(())
}
