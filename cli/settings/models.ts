import type { ModelAlias } from '../../plan/agents/adapter';
import { defined } from '../../plan/defined';
import { isJsonObject, setField } from '../../plan/text/json';
import { refuseUnknown } from './adapters';
import { mapping, type Problems, type Reader, refuse, refuseKey, settingFields, text } from './fields';

/** `models: {fast: gemma3, deep: {adapter: local, model: qwen3}}`: names of models by their use. */
export function models(knownAdapters: readonly string[]): Reader<Record<string, ModelAlias>> {
  return (value, name, problems) => {
    const found: Record<string, ModelAlias> = {};
    for (const [alias, content] of Object.entries(mapping(value, name, problems) ?? {})) {
      const read = modelAlias(content, `${name}.${alias}`, knownAdapters, problems);
      if (read) setField(found, alias, read);
    }
    for (const [alias, { model }] of Object.entries(found)) {
      if (model !== alias && Object.hasOwn(found, model))
        refuse(problems, `${name}.${alias}`, `"${name}.${alias}" refers to "${model}", another alias`, 'write the model’s real name');
    }
    return found;
  };
}

function modelAlias(content: unknown, path: string, known: readonly string[], problems: Problems): ModelAlias | undefined {
  if (!isJsonObject(content)) {
    const model = text(content, path, problems);
    return model === undefined ? undefined : { model };
  }
  const before = problems.length;
  const fields = settingFields(content, path, ['model', 'adapter'], problems);
  const [model, adapter] = [fields?.take('model', text), fields?.take('adapter', text)];
  if (adapter !== undefined && !known.includes(adapter)) refuseUnknown(problems, adapter, `${path}.adapter`, known);
  if (model !== undefined) return { model, ...defined({ adapter }) };
  if (problems.length === before) refuseKey(problems, path, `"${path}" needs a "model"`);
  return undefined;
}
