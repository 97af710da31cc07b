/** The folders of the files that the service writes, and for how long they are kept. */
export interface VarFolders {
  state_dir: string;
  results_dir: string;
  charts_dir: string;
  /** Null keeps runs and charts for ever. */
  keep_days: number | null;
  /** Addresses of all servers that Pods may lie on: they show which files are charts. */
  servers: readonly string[];
}
