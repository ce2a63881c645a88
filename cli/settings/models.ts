import type { ModelAlias } from '../../plan/agents/adapter';
import { defined } from '../../plan/defined';
import { isJsonObject } from '../../plan/text/json';
import { refuseUnknown } from './adapters';
import { named, type Reader, record, refuse, refuseKey, text } from './fields';

/** `models: {fast: gemma3, deep: {adapter: local, model: qwen3}}`: names of models by their use. */
export function models(knownAdapters: readonly string[]): Reader<Record<string, ModelAlias>> {
  return (value, name, problems) => {
    const found = named(modelAlias(knownAdapters))(value, name, problems) ?? {};
    for (const [alias, { model }] of Object.entries(found)) {
      if (model !== alias && Object.hasOwn(found, model))
        refuse(problems, `${name}.${alias}`, `"${name}.${alias}" refers to "${model}", another alias`, 'write the model’s real name');
    }
    return found;
  };
}

function modelAlias(known: readonly string[]): Reader<ModelAlias> {
  return (content, path, problems) => {
    if (!isJsonObject(content)) {
      const model = text(content, path, problems);
      return model === undefined ? undefined : { model };
    }
    const before = problems.length;
    const { model, adapter } = record({ model: text, adapter: text })(content, path, problems) ?? {};
    if (adapter !== undefined && !known.includes(adapter)) refuseUnknown(problems, adapter, `${path}.adapter`, known);
    if (model !== undefined) return { model, ...defined({ adapter }) };
    if (problems.length === before) refuseKey(problems, path, `"${path}" needs a "model"`);
    return undefined;
  };
}
