import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { load, YAML11_SCHEMA } from 'js-yaml';

export interface Service {
  image?: string;
  build?: { context: string; args: Record<string, string> };
  restart?: string;
  command?: string[];
  entrypoint?: string[];
  environment?: Record<string, string>;
  env_file?: { path: string; required: boolean }[];
  ports?: string[];
  volumes?: string[];
  stop_grace_period?: string;
  healthcheck?: { test?: string[]; disable?: true; interval?: string; timeout?: string; retries?: number };
  depends_on?: Record<string, { condition: string }>;
}

export interface Compose {
  services: Record<string, Service>;
  volumes: Record<string, null>;
}

export const ROOT = join(__dirname, '..', '..');

/** `docker-compose.yml`, with its `<<` resolved as Compose does. */
export const compose = load(readFileSync(join(ROOT, 'docker-compose.yml'), 'utf8'), { schema: YAML11_SCHEMA }) as Compose;

export const isOneShot = (service: Service): boolean => service.restart === 'no';

const VARIABLE = /\$\{([A-Z_]+)(?::([-?])([^}]*))?\}/g;

/** A text of the file with its variables replaced. Fails as Compose does if one that must be set is not, or is empty. */
export function interpolated(text: string, given: NodeJS.ProcessEnv): string {
  return text.replace(VARIABLE, (_, name: string, kind: string | undefined, rest: string = '') => {
    const value = given[name] || (kind === '-' ? rest : undefined);
    if (value === undefined) throw new Error(`required variable ${name} is missing a value: ${rest}`);
    return value;
  });
}

/** Where a service sees files of the repository: the places there, by its own. */
export function mountsOf({ volumes = [] }: Service, given: NodeJS.ProcessEnv = {}): Record<string, string> {
  return Object.fromEntries(
    volumes.map((volume) => {
      const [source = '', target = ''] = interpolated(volume, given).split(':');
      return [target, source];
    }),
  );
}
