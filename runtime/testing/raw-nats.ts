import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import { loginTo } from './nats-login.js';

/** Sends anything to a broker: no library in between rejects it. */
export class RawNats {
  private constructor(private readonly socket: Socket) {}

  static async connect(url: string): Promise<RawNats> {
    const { hostname, port } = new URL(url);
    const socket = connect(Number(port), hostname);
    await once(socket, 'data');
    const { user, pass } = loginTo(url);
    const options = { verbose: false, pedantic: false, headers: true, user, pass };
    socket.write(`CONNECT ${JSON.stringify(options)}\r\n`);
    return new RawNats(socket);
  }

  publish(subject: string, body: Uint8Array, headers?: string): void {
    const head = Buffer.from(headers === undefined ? '' : `${headers}\r\n\r\n`);
    const lengths = headers === undefined ? '' : `${head.length} `;
    const verb = headers === undefined ? 'PUB' : 'HPUB';
    this.socket.write(`${verb} ${subject} ${lengths}${head.length + body.length}\r\n`);
    this.socket.write(Buffer.concat([head, body, Buffer.from('\r\n')]));
  }

  /** Observes the reply subjects of other clients. */
  repliesTo(subject: string, onReply: (reply: string) => void): void {
    this.socket.on('data', (bytes: Buffer) => {
      for (const [, reply] of bytes.toString('latin1').matchAll(/^H?MSG \S+ 7 (\S+) \d+(?: \d+)?\r$/gm))
        onReply(reply ?? '');
    });
    this.socket.write(`SUB ${subject} 7\r\n`);
  }

  /** Resolves when everything sent so far has reached the broker. */
  async flush(): Promise<void> {
    this.socket.write('PING\r\n');
    for (let onReply = ''; !onReply.includes('PONG');) {
      const [bytes] = (await once(this.socket, 'data')) as [Buffer];
      onReply += bytes.toString('latin1');
    }
  }

  close(): void {
    this.socket.destroy();
  }
}
