import { isJsonObject } from '../../plan/text/json';
import { PROTOCOL_VERSION } from './envelope';
import { parseError } from './exit';

/**
 * The token that a paused call prints: base64url of JSON that names a state file, and nothing else. Its data is in
 * that file.
 */
export type TokenKind = 'workflow-file' | 'pipeline-resume';

export interface ResumeToken {
  kind: TokenKind;
  stateKey: string;
}

const KEY_PREFIXES: Readonly<Record<TokenKind, string>> = { 'workflow-file': 'workflow_resume_', 'pipeline-resume': 'pipeline_resume_' };

export function newStateKey(kind: TokenKind, uuid: string): string {
  return `${KEY_PREFIXES[kind]}${uuid}`;
}

/**
 * The spellings of a key: as it is and, for a workflow, with Lobster's other prefix. The tokens and files of one state may differ in it.
 */
export function spellingsOf(stateKey: string): readonly string[] {
  const other = WORKFLOW_PREFIX.exec(stateKey)?.[1] === '_' ? 'workflow-resume_' : KEY_PREFIXES['workflow-file'];
  return WORKFLOW_PREFIX.test(stateKey) ? [stateKey, stateKey.replace(WORKFLOW_PREFIX, other)] : [stateKey];
}

const WORKFLOW_PREFIX = /^workflow([_-])resume_/;

/** The kind that the beginning of a key shows; else a file's. */
export function kindOfStateKey(stateKey: string): TokenKind {
  return stateKey.startsWith(KEY_PREFIXES['pipeline-resume']) ? 'pipeline-resume' : 'workflow-file';
}

export function encodeToken({ kind, stateKey }: ResumeToken): string {
  return Buffer.from(JSON.stringify({ protocolVersion: PROTOCOL_VERSION, v: 1, kind, stateKey })).toString('base64url');
}

/** Fails with a parse error. */
export function decodeToken(token: string): ResumeToken {
  const payload = parse(token);
  if (!isJsonObject(payload)) throw parseError('Invalid token');
  if (payload['protocolVersion'] !== PROTOCOL_VERSION) throw parseError('Unsupported protocol version');
  if (payload['v'] !== 1) throw parseError('Unsupported token version');
  const { kind, stateKey } = payload;
  if (kind !== 'workflow-file' && kind !== 'pipeline-resume') throw parseError('Invalid token');
  if (typeof stateKey !== 'string' || stateKey === '') {
    throw parseError(kind === 'workflow-file' ? 'Invalid workflow token' : 'Invalid token');
  }
  return { kind, stateKey };
}

function parse(token: string): unknown {
  try {
    return JSON.parse(Buffer.from(token, 'base64url').toString('utf8'));
  } catch {
    throw parseError('Invalid token');
  }
}
