import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';

const ROOT = join(__dirname, '../../..');
const MAIN = join(__dirname, 'main.cjs');

/**
 * A model's server as a process of its own (`main.cjs`, which describes the spec), while `use` runs. If everything went well, it ends with
 * its stdin; if not, it is killed, and the error has its output.
 */
export async function withServerProcess<T>(spec: object, use: (url: string) => Promise<T>): Promise<T> {
  const child = spawn(process.execPath, [MAIN, JSON.stringify(spec)], { cwd: ROOT, stdio: ['pipe', 'pipe', 'pipe'] });
  let [out, err] = ['', ''];
  child.stdout.setEncoding('utf8');
  child.stderr.setEncoding('utf8').on('data', (text: string) => {
    err += text;
  });
  const ended = once(child, 'close');
  try {
    for await (const text of child.stdout) {
      out += String(text);
      if (out.includes('\n')) break;
    }
    const { url } = JSON.parse(out) as { url: string };
    const result = await use(url);
    child.stdin.end();
    await ended;
    return result;
  } catch (error) {
    child.kill('SIGKILL');
    await ended;
    throw new Error(`${error instanceof Error ? error.message : String(error)}\nthe server printed:\n${out}${err}`, { cause: error });
  }
}
