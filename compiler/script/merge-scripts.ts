import type { Script } from '../../plan/agents/script';
import type { ScriptFile } from './read-script';

/**
 * Puts a script on top of the one it extends: a step's replies replace those of the base, and people replace the base's people if the file
 * has a `people` key. The parts stay the same objects, so their places are still known.
 */
export function mergeScripts(base: Script, over: Pick<ScriptFile, 'script' | 'hasPeople'>): Script {
  const { script, hasPeople } = over;
  const merged: Script = {
    name: script.name,
    replies: { ...base.replies, ...script.replies },
    people: hasPeople ? script.people : base.people,
  };
  const description = script.description ?? base.description;
  return description === undefined ? merged : { ...merged, description };
}
