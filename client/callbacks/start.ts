import type { Chat } from '../../plan/people/chats';
import { namesSecret } from '../../plan/run/args';
import { isJsonObject, type Json } from '../../plan/text/json';
import { type Spelled, spelledObject } from '../../plan/text/spelled-json';
import { parseUntrustedJson } from '../../plan/text/untrusted-json';
import { ClientProblem } from '../client-problem';
import type { CallbackContext } from './callback-context';
import { jsonOrPlainText, personOf } from './read-request';
import { CallbackRefused } from './refusal';
import type { RequestFacts } from './refusal-record';

/** `daily market=BTC/USDT size=2`, or the args as one JSON object: `daily {"market": "BTC/USDT"}`. */
export interface StartWords {
  pipeline: string;
  args: string;
}

const RETRY_S = 10;

/**
 * Starts a run for the person that the chat has proven.
 *
 * Invariants: 1. only pipelines that `callbacks.start` lists; 2. an arg names no secret: anybody in a chat may have read what it sends; 3.
 * one command starts one run: the id of the run is made from the chat's own id of the command. Throws `CallbackRefused`.
 */
export async function startFromChat(
  context: CallbackContext,
  about: RequestFacts,
  chat: Chat,
  asked: { user: string; id: string; words: StartWords },
): Promise<string> {
  const { settings, ports } = context;
  const by = personOf(ports.directory, chat, asked.user);
  about.by = by;
  const { pipeline } = asked.words;
  const allowed = settings.start ?? [];
  if (allowed.length === 0) throw new CallbackRefused(404, 'no pipeline is started from a chat here: callbacks.start lists none');
  if (!allowed.includes(pipeline))
    throw new CallbackRefused(403, `"${pipeline.slice(0, 80)}" is not started from a chat; callbacks.start lists ${allowed.join(', ')}`);
  const args = argsIn(asked.words.args);
  try {
    const run = await ports.start({ pipeline, args, by, channel: chat, id: asked.id });
    return `✓ ${pipeline}: started ${run} for ${by}`;
  } catch (error) {
    if (!(error instanceof ClientProblem)) throw error;
    if (error.code === 'run.exists') throw new CallbackRefused(409, error.message);
    throw new CallbackRefused(503, `"${pipeline}" could not be started: look whether it runs, or send the command again`, RETRY_S);
  }
}

/** The words after a command: `start daily market=BTC`, with or without its first. */
export function startWords(text: string): StartWords {
  const [, pipeline = '', args = ''] = /^\s*(?:start\s+)?(\S+)\s*([\s\S]*)$/.exec(text) ?? [];
  if (pipeline === '') throw new CallbackRefused(400, 'the pipeline is missing: start PIPELINE [name=value …]');
  return { pipeline, args };
}

function argsIn(text: string): Record<string, Json> {
  const args = text.trim().startsWith('{')
    ? parseUntrustedJson(text)
    : spelledObject(
        text
          .split(/\s+/)
          .filter((word) => word !== '')
          .map(pair),
      );
  if (!isJsonObject(args)) throw new CallbackRefused(400, 'the args are not a JSON object');
  const secret = Object.entries(args).find(([, value]) => namesSecret(value));
  if (secret) throw new CallbackRefused(403, `"${secret[0].slice(0, 80)}" names a secret, which a chat command cannot pass`);
  return args;
}

function pair(word: string): [string, Spelled] {
  const at = word.indexOf('=');
  if (at < 1) throw new CallbackRefused(400, `"${word.slice(0, 80)}" is not an arg: write name=value`);
  return [word.slice(0, at), jsonOrPlainText(word.slice(at + 1))];
}
