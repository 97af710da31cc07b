export interface OwnBuild {
  version: string;
  /** The commit that was built, as `git describe` names it; null when it is not known. */
  commit: string | null;
  /** The digest of the compiled code: processes with equal digests understand each other. */
  digest: string;
}

/** "bp-analyser 0.1.0 (v0.1.0-12-g1a2b3c4)" */
export function describeBuild({ version, commit }: OwnBuild): string {
  return `bp-analyser ${version}${commit === null ? '' : ` (${commit})`}`;
}
