import { ssrRenderAttrs } from "vue/server-renderer";
import { useSSRContext } from "vue";
import { _ as _export_sfc } from "./plugin-vue_export-helper.1tPrXgE0.js";
const __pageData = JSON.parse('{"title":"Reference","description":"Made from the sources of this version.","frontmatter":{"description":"Made from the sources of this version."},"headers":[],"relativePath":"reference/index.md","filePath":"reference/index.md"}');
const _sfc_main = { name: "reference/index.md" };
function _sfc_ssrRender(_ctx, _push, _parent, _attrs, $props, $setup, $data, $options) {
  _push(`<div${ssrRenderAttrs(_attrs)}><h1 id="reference" tabindex="-1">Reference <a class="header-anchor" href="#reference" aria-label="Permalink to &quot;Reference&quot;">​</a></h1><p>These pages are made from the sources of this version.</p><ul><li><a href="./api/">API</a>: every name that you import from <code>svc-runtime</code>, <code>svc-runtime/testing</code> and <code>svc-runtime/ops</code></li><li><a href="./command-line">Command line</a></li><li><a href="./environment">Environment</a></li><li><a href="./problems">Problems</a></li><li><a href="./diagnostics">Diagnostics of the generator</a></li><li><a href="./metrics">Metrics</a></li><li><a href="./sql">SQL</a></li><li><a href="./limits">Limits</a></li></ul></div>`);
}
const _sfc_setup = _sfc_main.setup;
_sfc_main.setup = (props, ctx) => {
  const ssrContext = useSSRContext();
  (ssrContext.modules || (ssrContext.modules = /* @__PURE__ */ new Set())).add("reference/index.md");
  return _sfc_setup ? _sfc_setup(props, ctx) : void 0;
};
const index = /* @__PURE__ */ _export_sfc(_sfc_main, [["ssrRender", _sfc_ssrRender]]);
export {
  __pageData,
  index as default
};
