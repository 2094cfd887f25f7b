import { once } from 'node:events';
import { type AddressInfo, connect, createServer, type Server, type Socket } from 'node:net';

/**
 * The network between one process and the queue. While it is cut, bytes of both sides wait, as they do
 * in a network that loses packets: what was sent before arrives late, and not never.
 */
export class CuttableRelay {
  readonly #server: Server;
  readonly #pairs = new Set<readonly [Socket, Socket]>();
  #isCut = false;
  #trap: { text: string; spring(): void } | undefined;

  private constructor(target: number) {
    this.#server = createServer((near) => this.#relay(near, target));
  }

  static async to(target: number): Promise<CuttableRelay> {
    const relay = new CuttableRelay(target);
    relay.#server.listen(0, '127.0.0.1');
    await once(relay.#server, 'listening');
    return relay;
  }

  get url(): string {
    return `redis://127.0.0.1:${(this.#server.address() as AddressInfo).port}`;
  }

  cut(): void {
    this.#isCut = true;
    for (const sockets of this.#pairs) for (const socket of sockets) socket.pause();
  }

  mend(): void {
    this.#isCut = false;
    for (const sockets of this.#pairs) for (const socket of sockets) socket.resume();
  }

  /** Cuts it as soon as somebody asks for something with this text in it, which the queue never hears. */
  cutBefore(text: string): Promise<void> {
    return new Promise((resolve) => {
      this.#trap = { text, spring: resolve };
    });
  }

  async close(): Promise<void> {
    for (const sockets of this.#pairs) for (const socket of sockets) socket.destroy();
    this.#server.close();
    await once(this.#server, 'close');
  }

  #relay(near: Socket, target: number): void {
    const far = connect(target, '127.0.0.1');
    const pair = [near, far] as const;
    this.#pairs.add(pair);
    for (const [from, to] of [pair, [far, near] as const]) {
      from.on('data', (bytes: Buffer) => {
        if (!this.#isTrapped(bytes)) to.write(bytes);
      });
      from.on('error', () => {});
      from.on('close', () => {
        to.destroy();
        this.#pairs.delete(pair);
      });
    }
    if (this.#isCut) for (const socket of pair) socket.pause();
  }

  #isTrapped(bytes: Buffer): boolean {
    if (!this.#trap || !bytes.includes(this.#trap.text)) return false;
    this.cut();
    this.#trap.spring();
    this.#trap = undefined;
    return true;
  }
}
