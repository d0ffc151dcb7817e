import { ssrRenderAttrs } from "vue/server-renderer";
import { useSSRContext } from "vue";
import { _ as _export_sfc } from "./plugin-vue_export-helper.1tPrXgE0.js";
const __pageData = JSON.parse('{"title":"API","description":"","frontmatter":{},"headers":[],"relativePath":"reference/api/index.md","filePath":"reference/api/index.md"}');
const _sfc_main = { name: "reference/api/index.md" };
function _sfc_ssrRender(_ctx, _push, _parent, _attrs, $props, $setup, $data, $options) {
  _push(`<div${ssrRenderAttrs(_attrs)}><h1 id="api" tabindex="-1">API <a class="header-anchor" href="#api" aria-label="Permalink to &quot;API&quot;">​</a></h1><h2 id="modules" tabindex="-1">Modules <a class="header-anchor" href="#modules" aria-label="Permalink to &quot;Modules&quot;">​</a></h2><table tabindex="0"><thead><tr><th>Module</th><th>Description</th></tr></thead><tbody><tr><td><a href="./modules/svc-runtime">svc-runtime</a></td><td>What applications and generated code use.</td></tr><tr><td><a href="./modules/svc-runtime_contracts">svc-runtime/contracts</a></td><td>Types that the members of other types have. Import them where you need their names.</td></tr><tr><td><a href="./modules/svc-runtime_endpoints">svc-runtime/endpoints</a></td><td>Types of a service definition.</td></tr><tr><td><a href="./modules/svc-runtime_ops">svc-runtime/ops</a></td><td>Starts a host from code: for tests of a whole service, and for programs that embed one.</td></tr><tr><td><a href="./modules/svc-runtime_testing">svc-runtime/testing</a></td><td>What tests of an application use.</td></tr></tbody></table></div>`);
}
const _sfc_setup = _sfc_main.setup;
_sfc_main.setup = (props, ctx) => {
  const ssrContext = useSSRContext();
  (ssrContext.modules || (ssrContext.modules = /* @__PURE__ */ new Set())).add("reference/api/index.md");
  return _sfc_setup ? _sfc_setup(props, ctx) : void 0;
};
const index = /* @__PURE__ */ _export_sfc(_sfc_main, [["ssrRender", _sfc_ssrRender]]);
export {
  __pageData,
  index as default
};
