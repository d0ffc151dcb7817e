import { ssrRenderAttrs } from "vue/server-renderer";
import { useSSRContext } from "vue";
import { _ as _export_sfc } from "./plugin-vue_export-helper.1tPrXgE0.js";
const __pageData = JSON.parse('{"title":"Interface: Flags","description":"","frontmatter":{},"headers":[],"relativePath":"reference/api/interfaces/svc-runtime_contracts.Flags.md","filePath":"reference/api/interfaces/svc-runtime_contracts.Flags.md"}');
const _sfc_main = { name: "reference/api/interfaces/svc-runtime_contracts.Flags.md" };
function _sfc_ssrRender(_ctx, _push, _parent, _attrs, $props, $setup, $data, $options) {
  _push(`<div${ssrRenderAttrs(_attrs)}><h1 id="interface-flags" tabindex="-1">Interface: Flags <a class="header-anchor" href="#interface-flags" aria-label="Permalink to &quot;Interface: Flags&quot;">​</a></h1><p>The feature flags as a receptor or a hook sees them: for its caller, from memory.</p><h2 id="methods" tabindex="-1">Methods <a class="header-anchor" href="#methods" aria-label="Permalink to &quot;Methods&quot;">​</a></h2><h3 id="ison" tabindex="-1">isOn() <a class="header-anchor" href="#ison" aria-label="Permalink to &quot;isOn()&quot;">​</a></h3><blockquote><p><strong>isOn</strong>(<code>name</code>): <code>boolean</code></p></blockquote><p>Whether the flag is on for the caller; a flag that nobody has turned on is off.</p><h4 id="parameters" tabindex="-1">Parameters <a class="header-anchor" href="#parameters" aria-label="Permalink to &quot;Parameters&quot;">​</a></h4><table tabindex="0"><thead><tr><th>Parameter</th><th>Type</th></tr></thead><tbody><tr><td><code>name</code></td><td><code>string</code></td></tr></tbody></table><h4 id="returns" tabindex="-1">Returns <a class="header-anchor" href="#returns" aria-label="Permalink to &quot;Returns&quot;">​</a></h4><p><code>boolean</code></p></div>`);
}
const _sfc_setup = _sfc_main.setup;
_sfc_main.setup = (props, ctx) => {
  const ssrContext = useSSRContext();
  (ssrContext.modules || (ssrContext.modules = /* @__PURE__ */ new Set())).add("reference/api/interfaces/svc-runtime_contracts.Flags.md");
  return _sfc_setup ? _sfc_setup(props, ctx) : void 0;
};
const svcRuntime_contracts_Flags = /* @__PURE__ */ _export_sfc(_sfc_main, [["ssrRender", _sfc_ssrRender]]);
export {
  __pageData,
  svcRuntime_contracts_Flags as default
};
