import { once } from 'node:events';
import { type AddressInfo, connect, createServer, type Server, type Socket } from 'node:net';

/** A way to a server on this machine that can be cut: nothing gets through, and nobody is told. */
export class BreakableWire {
  readonly #server: Server;
  readonly #sockets = new Set<Socket>();
  #isCut = false;

  static async to(port: number): Promise<BreakableWire> {
    const wire = new BreakableWire(port);
    wire.#server.listen(0, '127.0.0.1');
    await once(wire.#server, 'listening');
    return wire;
  }

  private constructor(port: number) {
    this.#server = createServer((near) => {
      const far = connect(port, '127.0.0.1');
      this.#join(near, far);
      this.#join(far, near);
    });
  }

  get port(): number {
    return (this.#server.address() as AddressInfo).port;
  }

  cut(): void {
    this.#isCut = true;
    for (const socket of this.#sockets) socket.pause();
  }

  /** What was on its way arrives. */
  mend(): void {
    this.#isCut = false;
    for (const socket of this.#sockets) socket.resume();
  }

  close(): void {
    for (const socket of this.#sockets) socket.destroy();
    this.#server.close();
  }

  #join(from: Socket, to: Socket): void {
    this.#sockets.add(from);
    from.on('data', (data) => to.write(data));
    from.on('error', () => {});
    from.on('close', () => {
      this.#sockets.delete(from);
      to.destroy();
    });
    if (this.#isCut) from.pause();
  }
}
