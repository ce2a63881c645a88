import { readFile, stat } from 'node:fs/promises';
import { ThermidorFailure } from '../../plan/run/failure';
import { withoutScheme } from '../../plan/text/masker';
import type { Secrets } from '../ports';
import { whyNotRead } from './plain-file';

/** Variables that hold a secret by their name: `ANTHROPIC_API_KEY`, `GITHUB_TOKEN`, `PGPASSWORD`. */
const SECRET_NAME = /(KEY|TOKEN|SECRET|PASSWORD|PASSWD)$/i;
const REFERENCE = /^secret:\/\/(env|file)\/(.+)$/;

/**
 * `secret://env/NAME` is a variable of the worker's environment, `secret://file/run/secrets/hook` the content of `/run/secrets/hook`
 * without its last line break. An empty one counts as missing: anybody could forge its signature. A failure names the reference, never the
 * value.
 */
export class LocalSecrets implements Secrets {
  private readonly resolved = new Map<string, string>();

  /** @param others further secrets of the process */
  constructor(
    private readonly environment: NodeJS.ProcessEnv = process.env,
    private readonly others: readonly string[] = [],
  ) {}

  async resolve(reference: string): Promise<string> {
    if (!reference.startsWith('secret://')) return reference;
    const value = await this.lookUp(reference);
    this.resolved.set(reference, value);
    return value;
  }

  known(): string[] {
    const named = Object.entries(this.environment).flatMap(([name, value]) => (value && SECRET_NAME.test(name) ? [value] : []));
    return [...named, ...this.others, ...this.resolved.values()].flatMap(withoutScheme);
  }

  private async lookUp(reference: string): Promise<string> {
    const [, kind, name] = REFERENCE.exec(reference) ?? [];
    if (!kind || !name) {
      throw new ThermidorFailure(
        'secret.missing',
        `"${reference}" is not a secret reference; write secret://env/NAME or secret://file/path`,
      );
    }
    if (kind === 'file') return await fileSecret(reference, `/${name.replace(/^\/+/, '')}`);
    const value = this.environment[name];
    if (value) return value;
    throw new ThermidorFailure('secret.missing', `${reference} cannot be resolved: the worker's environment has no ${name}`);
  }
}

async function fileSecret(reference: string, path: string): Promise<string> {
  const value = await contentOf(reference, path);
  if (value !== '') return value;
  throw new ThermidorFailure('secret.missing', `${reference} leads nowhere: ${path} is empty`);
}

async function contentOf(reference: string, path: string): Promise<string> {
  const missing = (why: string) => new ThermidorFailure('secret.missing', `${reference} cannot be resolved: ${why}`);
  try {
    const problem = whyNotRead(await stat(path));
    if (problem !== undefined) throw missing(`the worker cannot read ${path}: ${problem}`);
    return (await readFile(path, 'utf8')).replace(/\r?\n$/, '');
  } catch (error) {
    throw error instanceof ThermidorFailure ? error : missing(`the worker cannot read ${path}`);
  }
}
