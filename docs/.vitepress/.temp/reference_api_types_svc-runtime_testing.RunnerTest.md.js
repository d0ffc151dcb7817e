import { ssrRenderAttrs } from "vue/server-renderer";
import { useSSRContext } from "vue";
import { _ as _export_sfc } from "./plugin-vue_export-helper.1tPrXgE0.js";
const __pageData = JSON.parse('{"title":"Type Alias: RunnerTest","description":"","frontmatter":{},"headers":[],"relativePath":"reference/api/types/svc-runtime_testing.RunnerTest.md","filePath":"reference/api/types/svc-runtime_testing.RunnerTest.md"}');
const _sfc_main = { name: "reference/api/types/svc-runtime_testing.RunnerTest.md" };
function _sfc_ssrRender(_ctx, _push, _parent, _attrs, $props, $setup, $data, $options) {
  _push(`<div${ssrRenderAttrs(_attrs)}><h1 id="type-alias-runnertest" tabindex="-1">Type Alias: RunnerTest <a class="header-anchor" href="#type-alias-runnertest" aria-label="Permalink to &quot;Type Alias: RunnerTest&quot;">​</a></h1><blockquote><p><strong>RunnerTest</strong> = (<code>sentence</code>, <code>body</code>) =&gt; <code>unknown</code></p></blockquote><p>The <code>test</code> of a runner: that of node:test, vitest or Jest, or a suite of uvu.</p><h2 id="parameters" tabindex="-1">Parameters <a class="header-anchor" href="#parameters" aria-label="Permalink to &quot;Parameters&quot;">​</a></h2><table tabindex="0"><thead><tr><th>Parameter</th><th>Type</th></tr></thead><tbody><tr><td><code>sentence</code></td><td><code>string</code></td></tr><tr><td><code>body</code></td><td>() =&gt; <code>Promise</code>&lt;<code>void</code>&gt;</td></tr></tbody></table><h2 id="returns" tabindex="-1">Returns <a class="header-anchor" href="#returns" aria-label="Permalink to &quot;Returns&quot;">​</a></h2><p><code>unknown</code></p></div>`);
}
const _sfc_setup = _sfc_main.setup;
_sfc_main.setup = (props, ctx) => {
  const ssrContext = useSSRContext();
  (ssrContext.modules || (ssrContext.modules = /* @__PURE__ */ new Set())).add("reference/api/types/svc-runtime_testing.RunnerTest.md");
  return _sfc_setup ? _sfc_setup(props, ctx) : void 0;
};
const svcRuntime_testing_RunnerTest = /* @__PURE__ */ _export_sfc(_sfc_main, [["ssrRender", _sfc_ssrRender]]);
export {
  __pageData,
  svcRuntime_testing_RunnerTest as default
};
