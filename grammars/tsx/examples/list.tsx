import React from "react";

type Props = { items: string[]; title?: string };

export function List({ items, title = "none" }: Props): JSX.Element {
  const [open, setOpen] = React.useState<boolean>(false);
  return (
    <section className="list" onClick={() => setOpen(!open)}>
      <h1>{title}: {items.length}</h1>
      {open && items.map((item) => <li key={item}>{item} &amp; more</li>)}
      <input disabled value="x" />
      <></>
    </section>
  );
}
