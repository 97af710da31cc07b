/** The folders of the files that the service writes, whose they are, and for how long the files are kept. */
export interface VarFolders {
  /** The WebID of the Analyser. */
  analyser: string;
  state_dir: string;
  results_dir: string;
  charts_dir: string;
  /** Null keeps runs and charts for ever. */
  keep_days: number | null;
  /** Addresses of all servers that Pods may lie on: they show which files are charts. */
  servers: readonly string[];
}
