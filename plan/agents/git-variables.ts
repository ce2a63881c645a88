/** Variables that lead git to another repository, index or configuration than that of its folder. No program of an agent's gets them. */
const GIT_PLACES: readonly string[] = [
  'GIT_DIR',
  'GIT_WORK_TREE',
  'GIT_COMMON_DIR',
  'GIT_INDEX_FILE',
  'GIT_OBJECT_DIRECTORY',
  'GIT_ALTERNATE_OBJECT_DIRECTORIES',
  'GIT_QUARANTINE_PATH',
  'GIT_NAMESPACE',
  'GIT_PREFIX',
  'GIT_SHALLOW_FILE',
  'GIT_GRAFT_FILE',
  'GIT_CEILING_DIRECTORIES',
  'GIT_DISCOVERY_ACROSS_FILESYSTEM',
  'GIT_EXEC_PATH',
  'GIT_TEMPLATE_DIR',
];

export function redirectsGit(variable: string): boolean {
  return GIT_PLACES.includes(variable) || variable.startsWith('GIT_CONFIG');
}

/**
 * Git settings that such a program gets instead. A folder that looks like a bare repository does not count as one unless it is named: an
 * agent that may write files, but not in `.git`, could make one whose `config` has git run a program.
 */
export const GIT_SETTINGS: Readonly<Record<string, string>> = {
  GIT_CONFIG_COUNT: '1',
  GIT_CONFIG_KEY_0: 'safe.bareRepository',
  GIT_CONFIG_VALUE_0: 'explicit',
};
