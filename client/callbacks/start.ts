import { isJsonObject, type Json } from '../../plan/json';
import { outsideJson } from '../../plan/outside-json';
import { ClientProblem } from '../problem';
import type { About } from './about';
import type { Desk } from './desk';
import { jsonOrText } from './json-fields';
import { Refused } from './refused';
import { type Chat, personOf } from './who';

/** `daily market=BTC/USDT size=2`, or the args as one JSON object: `daily {"market": "BTC/USDT"}`. */
export interface StartWords {
  pipeline: string;
  args: string;
}

const RETRY_S = 10;

/**
 * Starts a run for the person that the chat has proven.
 *
 * Invariants: 1. only pipelines that `callbacks.start` lists; 2. an arg names no secret: what a chat sends is what anybody in it may have
 * read; 3. what was asked for once starts once: the id of the run is made of the chat's own id of the command. Throws `Refused`.
 */
export async function startFromChat(
  desk: Desk,
  about: About,
  chat: Chat,
  asked: { user: string; id: string; words: StartWords },
): Promise<string> {
  const { settings, ports } = desk;
  const by = personOf(ports.directory, chat, asked.user);
  about.by = by;
  const { pipeline } = asked.words;
  const allowed = settings.start ?? [];
  if (allowed.length === 0) throw new Refused(404, 'no pipeline is started from a chat here: callbacks.start lists none');
  if (!allowed.includes(pipeline))
    throw new Refused(403, `"${pipeline.slice(0, 80)}" is not started from a chat; callbacks.start lists ${allowed.join(', ')}`);
  const args = argsIn(asked.words.args);
  try {
    const run = await ports.start({ pipeline, args, by, channel: chat, id: asked.id });
    return `✓ ${pipeline}: started ${run} for ${by}`;
  } catch (error) {
    if (!(error instanceof ClientProblem)) throw error;
    if (error.code === 'run.exists') throw new Refused(409, error.message);
    throw new Refused(503, `"${pipeline}" could not be started: look whether it runs, or send it again`, RETRY_S);
  }
}

/** The words behind a command: `start daily market=BTC`, with or without its first. */
export function startWords(text: string): StartWords {
  const [, pipeline = '', args = ''] = /^\s*(?:start\s+)?(\S+)\s*([\s\S]*)$/.exec(text) ?? [];
  if (pipeline === '') throw new Refused(400, 'the pipeline is missing: start PIPELINE [name=value …]');
  return { pipeline, args };
}

function argsIn(text: string): Record<string, Json> {
  const args = text.trim().startsWith('{')
    ? outsideJson(text)
    : Object.fromEntries(
        text
          .split(/\s+/)
          .filter((word) => word !== '')
          .map(pair),
      );
  if (!isJsonObject(args)) throw new Refused(400, 'the args are not a JSON object');
  const secret = Object.entries(args).find(([, value]) => JSON.stringify(value).includes('secret://'));
  if (secret) throw new Refused(403, `"${secret[0].slice(0, 80)}" names a secret, which a chat command cannot pass`);
  return args;
}

function pair(word: string): [string, Json] {
  const at = word.indexOf('=');
  if (at < 1) throw new Refused(400, `"${word.slice(0, 80)}" is not an arg: write name=value`);
  return [word.slice(0, at), jsonOrText(word.slice(at + 1))];
}
