// Servers for ACP's remote transport: Turnwire's and the official one.

import { spawn, execFileSync } from "node:child_process";
import { createServer } from "node:http";
import { createInterface } from "node:readline";
import assert from "node:assert/strict";
import { AcpServer } from "@agentclientprotocol/sdk/experimental/server";
import { createNodeHttpHandler, createNodeWebSocketUpgradeHandler } from "@agentclientprotocol/sdk/experimental/node";
import { createHttpStream } from "@agentclientprotocol/sdk/experimental/http-client";
import { createWebSocketStream } from "@agentclientprotocol/sdk/experimental/ws-client";
import { WebSocket, WebSocketServer } from "ws";

const binary = process.env.TURNWIRE_BINARY;

// Turnwire is a server of the built binary, with a token.
export class Turnwire {
  static async start(...args) {
    const server = new Turnwire();
    const name = `conformance-${process.pid}-${Math.random().toString(36).slice(2)}`;
    server.token = execFileSync(binary, ["token", "create", name], { encoding: "utf8" }).trim();
    const child = spawn(binary, ["serve", "--listen", "127.0.0.1:0", "--auth", "token", ...args], { stdio: ["ignore", "ignore", "pipe"] });
    server.#child = child;
    server.#exited = new Promise((resolve) => child.on("close", (code, signal) => resolve({ code, signal })));
    server.urls = await new Promise((resolve, reject) => {
      createInterface({ input: child.stderr }).on("line", (line) => {
        const urls = line.match(/\b(ws|http):\/\/\S+/g);
        if (urls) resolve({ websocket: urls[0], http: urls[1] });
        else server.stderr.push(line);
      });
      server.#exited.then((status) => reject(new Error(`turnwire serve has ended: ${JSON.stringify(status)} ${server.stderr}`)));
    });
    return server;
  }

  stderr = []; // without the line with its address
  #child;
  #exited;

  // stream connects the official client.
  stream(kind, token = this.token) {
    const headers = { Authorization: `Bearer ${token}` };
    if (kind === "http") return createHttpStream(this.urls.http, { headers });
    return createWebSocketStream(this.urls.websocket, { headers, WebSocket });
  }

  async stop() {
    this.#child.kill("SIGTERM");
    const status = await this.#exited;
    assert.deepEqual(this.stderr, [], "Turnwire wrote to its standard error");
    if (process.platform !== "win32") assert.deepEqual(status, { code: 0, signal: null }, "exit status");
  }
}

// Official is the official server. Each connection has its own process of the
// command in launch, whose lines pass unchanged.
export class Official {
  static async start() {
    const server = new Official();
    const acp = new AcpServer({ createAgent: () => server.#agent() });
    const http = createServer(createNodeHttpHandler(acp));
    http.on("upgrade", createNodeWebSocketUpgradeHandler(acp, new WebSocketServer({ noServer: true })));
    await new Promise((resolve) => http.listen(0, "127.0.0.1", resolve));
    const { port } = http.address();
    server.urls = { websocket: `ws://127.0.0.1:${port}/acp`, http: `http://127.0.0.1:${port}/acp` };
    server.stop = async () => {
      await acp.close();
      http.closeAllConnections();
      await new Promise((resolve) => http.close(resolve));
      await Promise.all(server.#exits);
    };
    return server;
  }

  launch;
  #exits = [];

  #agent() {
    return {
      connect: (stream) => {
        const [program, ...args] = this.launch;
        const child = spawn(program, args, { stdio: ["pipe", "pipe", "inherit"] });
        const closed = new Promise((resolve) => child.on("close", resolve));
        this.#exits.push(closed);
        const writer = stream.writable.getWriter();
        createInterface({ input: child.stdout }).on("line", (line) => writer.write(JSON.parse(line)).catch(() => {}));
        const lines = new WritableStream({ write: (message) => void child.stdin.write(JSON.stringify(message) + "\n") });
        stream.readable.pipeTo(lines).catch(() => {}).finally(() => child.stdin.end());
        return { closed };
      },
    };
  }
}
