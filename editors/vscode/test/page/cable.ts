/** A network between a browser and a server that a test can cut, or turn into a black hole. */
import { once } from "node:events";
import { connect, createServer, type AddressInfo, type Server, type Socket } from "node:net";

export class Cable {
  readonly url: string;
  readonly #server: Server;
  readonly #sockets = new Set<Socket>();
  #whole = true;

  private constructor(server: Server) {
    this.#server = server;
    this.url = `http://localhost:${(server.address() as AddressInfo).port}`;
  }

  /** Connects to the server at a URL. */
  static async to(url: string): Promise<Cable> {
    const port = Number(new URL(url).port);
    const server = createServer((near) => cable.#plug(near, connect({ port, host: "localhost" })));
    await once(server.listen(0, "localhost"), "listening");
    const cable = new Cable(server);
    return cable;
  }

  /** Ends all connections, and refuses new ones. */
  cut(): void {
    this.#whole = false;
    for (const socket of this.#sockets) socket.destroy();
  }

  /** Nothing passes any more, and nobody is told. */
  swallow(): void {
    this.#whole = false;
    for (const socket of this.#sockets) socket.removeAllListeners("data").resume();
  }

  /** Lets new connections pass. */
  mend(): void {
    this.#whole = true;
    for (const socket of this.#sockets) socket.destroy();
  }

  async remove(): Promise<void> {
    this.cut();
    this.#server.close();
    await once(this.#server, "close");
  }

  #plug(near: Socket, far: Socket): void {
    for (const [from, to] of [[near, far], [far, near]] as const) {
      this.#sockets.add(from);
      from.on("data", (data) => to.write(data));
      from.on("error", () => {}); // "close" follows
      from.on("close", () => {
        this.#sockets.delete(from);
        to.destroy();
      });
    }
    if (!this.#whole) near.destroy();
  }
}
