interface CsvButtonProps {
  /** What the file holds, as the button says it after "CSV of". */
  what: string;
  fileName: string;
  content: () => string;
}

/** Written in the page from what it has: nothing is asked of the API. */
export function CsvButton({ what, fileName, content }: CsvButtonProps) {
  const save = () => {
    const url = URL.createObjectURL(new Blob([content()], { type: 'text/csv;charset=utf-8' }));
    const link = document.createElement('a');
    link.href = url;
    link.download = fileName;
    link.click();
    URL.revokeObjectURL(url);
  };
  return (
    <button type="button" class="csv" onClick={save}>
      CSV of {what}
    </button>
  );
}
