import { BUILT_IN_ROLE_IDS, BUILT_IN_ROLES, type BuiltInRoleId, RESERVED_ROLE_IDS, ROLE_ID, type Role } from '../../plan/brief/role';
import { type Located, type Report, type SourceSpan, sourceText, topOf, watched } from '../diagnostics/diagnostic';
import { didYouMean } from '../diagnostics/suggest';
import { sha256 } from '../freeze/blobs';
import type { Installation } from '../installation';
import { ROLE_ROWS } from '../language/mappings/brief-roles';
import { spellings } from '../language/row';
import { readYaml } from '../read/yaml';
import { checkKeys } from '../shape/keys';
import { readRows } from '../shape/read-rows';
import { besideFile, type Sources } from '../sources';
import { knownCategories } from './cost-categories';

/**
 * The roles that a brief can name: the built-in ones, those in `roles/ID.yaml` next to its file, and those of an application. A built-in
 * one cannot be replaced: what it may do is a promise.
 */
export interface Roles {
  /** Undefined if there is none, which is reported. Without a definition: it is wrong, which is reported, or other processes have it. */
  named(id: Located<string>): { definition?: Role } | undefined;
}

const EXTENSIONS = ['.yaml', '.yml'];

export function loadRoles(file: string, sources: Sources, installation: Installation, report: Report): Roles {
  const folder = besideFile(file, 'roles');
  const inFiles = (): string[] => sources.list(folder).flatMap((name) => /^([a-z][\w-]*)\.ya?ml$/.exec(name)?.[1] ?? []);
  const read = (id: string, from: SourceSpan) =>
    EXTENSIONS.flatMap((extension) => {
      const path = `${folder}/${id}${extension}`;
      const text = sources.read(path);
      return text === undefined ? [] : [sourceText(path, text, from)];
    });
  return {
    named({ value: id, at }) {
      const [source, second] = ROLE_ID.test(id) ? read(id, at) : [];
      if (second) {
        report('brief.bad-role', topOf(second), `role "${id}" is defined in two files`, 'keep one of them');
        return {};
      }
      if (RESERVED_ROLE_IDS.includes(id)) {
        if (source)
          report('brief.bad-role', topOf(source), `"${id}" is a role of Thermidor's own`, 'give the role and its file another name');
        if (isBuiltIn(id)) return { definition: BUILT_IN_ROLES[id] };
      }
      if (source) {
        const definition = readRole(id, source, report);
        return definition ? { definition } : {};
      }
      const registered = installation.registeredRoles?.find((role) => role.id === id);
      if (registered) return { definition: registered };
      if (installation.roles?.includes(id)) return {};
      const hint = () =>
        didYouMean(
          id,
          [...BUILT_IN_ROLE_IDS, ...inFiles(), ...(installation.roles ?? [])],
          `known: ${BUILT_IN_ROLE_IDS.join(', ')}; others are files: ${folder}/ID.yaml`,
        );
      report('brief.unknown-role', at, `there is no role "${id}"`, hint);
      return undefined;
    },
  };
}

function isBuiltIn(id: string): id is BuiltInRoleId {
  return (BUILT_IN_ROLE_IDS as readonly string[]).includes(id);
}

function readRole(id: string, source: ReturnType<typeof sourceText>, into: Report): Role | undefined {
  const { report, isClean } = watched(into);
  const node = readYaml(source, report, { begin: 'description: Checks licences.' });
  if (!node) return undefined;
  checkKeys(node, { what: 'a role', known: spellings(ROLE_ROWS) }, report);
  const {
    id: own,
    description,
    promptOverlay,
    toolCategories = [],
    allowReadFile = false,
  } = readRows(node, ROLE_ROWS, 'the role', { report });
  if (own && own.value !== id)
    report('brief.bad-role', own.at, `this is role "${id}", not "${own.value}"`, `write \`id: ${id}\`, or remove it`);
  const categories = knownCategories(toolCategories, `role "${id}" has`, report);
  if (!isClean() || !description || !promptOverlay) return undefined;
  const { value: overlay } = promptOverlay;
  return {
    ...{ id, description: description.value.trim(), promptOverlay: overlay.trim(), toolCategories: categories, allowReadFile },
    source: sha256(source.text),
  };
}
