import {
  answerTo,
  type McpAnswer,
  type ServerInfo,
  type ToolMethods,
} from '../../endpoints/agents/mcp-answer.js';
import { errorCodes, messageIn } from '../../endpoints/agents/rpc-message.js';

/** A longer line is refused before it is complete. */
const longestLine = 1_048_576;

/** Answers messages of the Model Context Protocol over pipes: one line each, one after another, until the input ends. */
export async function serveLines(
  input: AsyncIterable<Buffer>,
  write: (line: string) => void,
  info: ServerInfo,
  tools: ToolMethods,
): Promise<void> {
  for await (const line of linesOf(input)) {
    const { body } = line === undefined ? tooLong : await answerOf(line, info, tools);
    if (body !== undefined) write(`${JSON.stringify(body)}\n`);
  }
}

async function answerOf(line: string, info: ServerInfo, tools: ToolMethods): Promise<McpAnswer> {
  if (line.trim() === '') return { status: 202 };
  let body: unknown;
  try {
    body = JSON.parse(line);
  } catch {
    return failed('The line is not JSON.');
  }
  return answerTo(messageIn(body), info, tools);
}

const failed = (message: string): McpAnswer => ({
  status: 400,
  body: { jsonrpc: '2.0', id: null, error: { code: errorCodes.parseError, message } },
});

const tooLong = failed(`A line has at most ${longestLine} bytes.`);

const lineFeed = 0x0a;

/** Undefined for a line that is too long, whose rest is dropped. */
async function* linesOf(input: AsyncIterable<Buffer>): AsyncGenerator<string | undefined> {
  let parts: Buffer[] = [];
  let length = 0;
  for await (const chunk of input) {
    let from = 0;
    for (let end = chunk.indexOf(lineFeed); end >= 0; end = chunk.indexOf(lineFeed, from)) {
      const isWhole = length + end - from <= longestLine;
      yield isWhole ? Buffer.concat([...parts, chunk.subarray(from, end)]).toString('utf8') : undefined;
      [parts, length, from] = [[], 0, end + 1];
    }
    length += chunk.length - from;
    if (length > longestLine) parts = [];
    else parts.push(chunk.subarray(from));
  }
}
