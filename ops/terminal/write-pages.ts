import { once } from 'node:events';
import { printable } from '../../runtime/lang/printable.js';

/** Writes text as fast as the reader takes it. A reader that closes the pipe, such as `head`, is not an error. */
export async function writePages(
  pages: AsyncIterable<string>,
  output: NodeJS.WritableStream = process.stdout,
): Promise<void> {
  let gone = false;
  const leave = () => {
    gone = true;
  };
  output.on('error', leave);
  for await (const text of pages) {
    if (gone) break;
    const isWatched = 'isTTY' in output && output.isTTY === true;
    if (!output.write(isWatched ? printable(text) : text))
      await Promise.race([once(output, 'drain'), once(output, 'close')]).catch(leave);
  }
  output.removeListener('error', leave);
}
