/** On paper nothing scrolls, nothing is pressed, and wide tables wrap. */
export const paperStyle = `
@media print {
  .rpcn, .rpcn .note, .rpcn .about, .rpcn .also, .rpcn .exact, .rpcn .hex { font-size: 10px; }
  .rpcn .copy, .rpcn .link, .rpcn .chip, .rpcn .filter, .rpcn .folds, .rpcn .opener { display: none; }
  .rpcn .scroll { overflow: visible; border: 0; }
  .rpcn table { width: 100%; font-size: 9px; line-height: 1.4; }
  .rpcn th, .rpcn td, .rpcn table:not(.virtual) td.wraps { min-width: 0; max-width: none; height: auto; padding: 2px 5px; white-space: normal; overflow: visible; }
  .rpcn .table th, .rpcn .table td { font-size: 9px; }
  .rpcn th, .rpcn td { overflow-wrap: break-word; }
  .rpcn td.wraps, .rpcn tr:has(> :nth-child(10)) > * { overflow-wrap: anywhere; }
  .rpcn thead th { position: static; height: auto; }
  .rpcn tr { break-inside: avoid; }
  .rpcn pre { max-height: none; overflow: visible; }
  .rpcn .reference { color: inherit; }
}
`;
