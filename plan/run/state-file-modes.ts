/**
 * Modes of everything below a state folder. It holds prompts, outputs and environments, so only its owner may read it. None of these asks
 * for a bit of the group or of others, so no umask can give one.
 */
export const STATE_FOLDER_MODE = 0o700;
export const STATE_FILE_MODE = 0o600;
/** Of content that never changes. */
export const KEPT_FILE_MODE = 0o400;
