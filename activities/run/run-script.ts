import type { ControlRef } from '../../plan/run/artifact';
import { readControlContent } from '../../records/read-control-content';
import type { WorkerToolbox } from '../toolbox';
import type { LoadedRun } from './loaded-run';

/** The script for runs that this one starts: an offline run starts only offline ones. */
export async function scriptOfRun(toolbox: WorkerToolbox, { record: { script } }: LoadedRun): Promise<ControlRef<'script'> | undefined> {
  if (!script) return undefined;
  const name = `${script.name}.script.json`;
  if (script.ref.kind !== undefined) return { ...script.ref, name };
  return await toolbox.control.put('script', (await readControlContent(toolbox, script.ref)).toString('utf8'), name);
}
