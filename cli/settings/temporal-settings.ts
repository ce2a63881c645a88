import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { readPlainFile } from '../../worker/source-file';
import { CommandFailure, EXIT } from '../exit';
import type { ProcessSurroundings, Setting } from './setting';

/** Paths or texts of TLS material; an empty object is TLS with the system's certificates. */
export interface TlsFiles {
  serverName?: string;
  serverCaPath?: string;
  serverCaData?: string;
  clientCertPath?: string;
  clientCertData?: string;
  clientKeyPath?: string;
  clientKeyData?: string;
}

export interface TemporalSettings {
  address?: Setting<string>;
  namespace?: Setting<string>;
  apiKey?: Setting<string>;
  tls?: Setting<TlsFiles>;
}

/** Settings as Temporal's own tools read them: environment variables win over the profile of the configuration file. */
const TLS_KEYS = {
  serverName: ['TEMPORAL_TLS_SERVER_NAME', 'server_name'],
  serverCaPath: ['TEMPORAL_TLS_SERVER_CA_CERT_PATH', 'server_ca_cert_path'],
  serverCaData: ['TEMPORAL_TLS_SERVER_CA_CERT_DATA', 'server_ca_cert_data'],
  clientCertPath: ['TEMPORAL_TLS_CLIENT_CERT_PATH', 'client_cert_path'],
  clientCertData: ['TEMPORAL_TLS_CLIENT_CERT_DATA', 'client_cert_data'],
  clientKeyPath: ['TEMPORAL_TLS_CLIENT_KEY_PATH', 'client_key_path'],
  clientKeyData: ['TEMPORAL_TLS_CLIENT_KEY_DATA', 'client_key_data'],
} as const satisfies Record<keyof TlsFiles, readonly [string, string]>;

export function readTemporalSettings(around: ProcessSurroundings): TemporalSettings {
  const { env } = around;
  const profile = readProfile(around);
  const settings: TemporalSettings = {};
  const pick = (variable: string, key: string): Setting<string> | undefined => {
    const value = env[variable];
    if (value !== undefined && value !== '') return { value, source: variable };
    const inProfile = profile?.table[key];
    return typeof inProfile === 'string' && inProfile !== '' ? { value: inProfile, source: profile?.source ?? '' } : undefined;
  };
  const address = pick('TEMPORAL_ADDRESS', 'address');
  const namespace = pick('TEMPORAL_NAMESPACE', 'namespace');
  const apiKey = pick('TEMPORAL_API_KEY', 'api_key');
  if (address) settings.address = address;
  if (namespace) settings.namespace = namespace;
  if (apiKey) settings.apiKey = apiKey;
  const tls = readTls(env, profile, apiKey);
  if (tls) settings.tls = tls;
  return settings;
}

function readTls(env: NodeJS.ProcessEnv, profile: Profile | undefined, apiKey: Setting<string> | undefined): Setting<TlsFiles> | undefined {
  const files: TlsFiles = {};
  let source: string | undefined;
  for (const [name, [variable, key]] of Object.entries(TLS_KEYS) as [keyof TlsFiles, readonly [string, string]][]) {
    const given = env[variable];
    const inProfile = profile?.tls?.[key];
    if (given !== undefined && given !== '') {
      files[name] = given;
      source ??= variable;
    } else if (typeof inProfile === 'string') {
      files[name] = inProfile;
      source ??= profile?.source;
    }
  }
  const toggle = env['TEMPORAL_TLS']?.toLowerCase();
  if (toggle === 'false' || toggle === '0') return undefined;
  if (toggle === 'true' || toggle === '1') source ??= 'TEMPORAL_TLS';
  if (profile?.tls?.['disabled'] === true && toggle === undefined) return undefined;
  if (profile?.tls !== undefined) source ??= profile.source;
  // An API key is never sent in the clear.
  source ??= apiKey?.source;
  return source === undefined ? undefined : { value: files, source };
}

type Table = Readonly<Record<string, unknown>>;

interface Profile {
  table: Table;
  tls: Table | undefined;
  source: string;
}

function readProfile({ env, home, platform }: ProcessSurroundings): Profile | undefined {
  const path = env['TEMPORAL_CONFIG_FILE'] || join(configFolder(env, home, platform), 'temporalio', 'temporal.toml');
  const name = env['TEMPORAL_PROFILE'] || 'default';
  if (!existsSync(path)) {
    if (env['TEMPORAL_CONFIG_FILE']) throw invalid(`TEMPORAL_CONFIG_FILE names ${path}, which is not there`);
    return undefined;
  }
  const table = tableIn(tableIn(readToml(path), 'profile'), name);
  if (table === undefined && env['TEMPORAL_PROFILE']) throw invalid(`${path} has no profile "${name}", which TEMPORAL_PROFILE names`);
  if (table === undefined) return undefined;
  return { table, tls: tableIn(table, 'tls'), source: `${path} [profile.${name}]` };
}

/** Loads the parser only if there is a file. */
function readToml(path: string): Table {
  const { parse, TomlError } = require('smol-toml') as typeof import('smol-toml', { with: { 'resolution-mode': 'import' }});
  try {
    return parse(readPlainFile(path).toString('utf8'));
  } catch (error) {
    if (!(error instanceof TomlError)) throw invalid(`${path} cannot be read: ${error instanceof Error ? error.message : String(error)}`);
    const [message = ''] = error.message.split('\n');
    throw invalid(`${path}:${error.line}:${error.column}: ${message}`);
  }
}

function tableIn(table: Table | undefined, key: string): Table | undefined {
  const value = table !== undefined && Object.hasOwn(table, key) ? table[key] : undefined;
  return isTable(value) ? value : undefined;
}

function isTable(value: unknown): value is Table {
  return typeof value === 'object' && value !== null && !Array.isArray(value) && !(value instanceof Date);
}

function configFolder(env: NodeJS.ProcessEnv, home: string, platform: NodeJS.Platform): string {
  if (platform === 'darwin') return join(home, 'Library', 'Application Support');
  if (platform === 'win32') return env['APPDATA'] || join(home, 'AppData', 'Roaming');
  return env['XDG_CONFIG_HOME'] || join(home, '.config');
}

function invalid(message: string): CommandFailure {
  return new CommandFailure(EXIT.usage, 'settings.invalid', message);
}
