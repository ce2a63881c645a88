import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { AgentAdapter } from '../../activities/agent-port';
import type { Tool } from '../../activities/tools/tool';
import { adapterLacks } from '../../cli/serving/agent-requirements';
import { parseSettings } from '../../cli/settings/settings-file';
import { openRecords } from '../../records/open-records';
import { createToolbox, type ToolboxOptions } from '../../worker/toolbox';
import { scratchFolder } from '../support/scratch-folder';

const house: AgentAdapter = {
  name: 'house',
  async *run() {
    yield { role: 'assistant', text: 'done' };
  },
};
const transfer: Tool = { description: 'pays', parameters: { type: 'object' }, call: async () => ({ text: 'paid' }) };

let folder = '';
beforeEach(() => {
  folder = scratchFolder();
});

const boxWith = (more: Partial<ToolboxOptions>) =>
  createToolbox({
    records: openRecords({ stateDir: folder }),
    ...{ stateDir: folder, pipelineDirs: [folder], channels: {}, defaultAdapter: 'house', searchAttributes: [], log: () => undefined },
    ...more,
  });

describe('an application’s own adapter', () => {
  it('is there by its name, next to those that are there by themselves', () => {
    const { adapters } = boxWith({ ownAdapters: [house] });
    expect(adapters.get('house')).toBe(house);
    expect(adapters.has('anthropic')).toBe(true);
  });

  it('wins over another of its name', () => {
    const own = { ...house, name: 'anthropic' };
    expect(boxWith({ ownAdapters: [own] }).adapters.get('anthropic')).toBe(own);
  });

  it('is known to pipelines that its worker compiles', async () => {
    writeFileSync(join(folder, 'p.yaml'), 'name: p\nagents:\n  a: {role: x, adapter: house}\nsteps:\n  - {id: s, agent: a}\n');
    const { pipelines } = boxWith({ ownAdapters: [house] });
    expect((await pipelines.pipeline('p')).plan.name).toBe('p');
    await expect(boxWith({}).pipelines.pipeline('p')).rejects.toMatchObject({ code: 'pipeline.invalid' });
  });

  it('has nothing but its name in the settings, and no worker of the command line makes it', async () => {
    const { adapters = {} } = parseSettings('thermidor.yaml', 'adapters: {house: {kind: own}}\ndefault_adapter: house\n');
    expect(adapters).toEqual({ house: { kind: 'own' } });
    expect(() => parseSettings('thermidor.yaml', 'adapters: {house: {kind: own, model: m}}\n')).toThrow('model');
    expect(boxWith({ adapters }).adapters.has('house')).toBe(false);
    expect(await adapterLacks('house', { kind: 'own' }, {})).toMatchObject({ code: 'adapter.unavailable' });
  });
});

test('an application’s own tools are in the toolbox', () => {
  expect(boxWith({ ownTools: { transfer } }).tools).toEqual({ transfer });
});
