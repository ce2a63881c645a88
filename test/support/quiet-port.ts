import { randomInt } from 'node:crypto';
import { isPortFree } from '../../cli/embedded/ports';

/** Below the ports that systems give away by themselves. */
const [FROM, TO] = [12_000, 30_000];

/** A port that nobody uses now, and that no other program is given by chance before the caller takes it. */
export async function quietPort(): Promise<number> {
  for (;;) {
    const port = randomInt(FROM, TO);
    if (await isPortFree(port)) return port;
  }
}
