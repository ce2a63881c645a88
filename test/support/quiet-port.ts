import { randomInt } from 'node:crypto';
import { isPortFree } from '../../cli/embedded/ports';

/** These ports are below those that systems assign by themselves. */
const [FROM, TO] = [12_000, 30_000];

/** A port that is free now, and that no other program gets by chance before the caller uses it. */
export async function quietPort(): Promise<number> {
  for (;;) {
    const port = randomInt(FROM, TO);
    if (await isPortFree(port)) return port;
  }
}
